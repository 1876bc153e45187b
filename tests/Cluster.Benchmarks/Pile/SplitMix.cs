namespace Cluster.Benchmarks.Pile;

/// <summary>Random numbers in a few instructions (splitmix64), for loops around single operations: a seeded
/// <see cref="Random"/> takes enough instructions that the processor does not see the next operation while it waits for
/// the memory of this one. Mutable, do not copy.</summary>
internal struct SplitMix(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A number from the least to the most, both included.</summary>
    public int Next(int least, int most)
    {
        _state += 0x9E3779B97F4A7C15;
        var mixed = (_state ^ (_state >> 30)) * 0xBF58476D1CE4E5B9;
        mixed ^= mixed >> 27;
        return least + (int)(((mixed & uint.MaxValue) * (ulong)(most - least + 1)) >> 32);
    }
}
