namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>A random source that is cheap to seed, so that every message of a run has a seed of its own and can be made
/// again alone. A mutable struct: pass it by reference.</summary>
internal struct FuzzRandom(ulong seed)
{
    private ulong _state = seed;

    /// <summary>A number from 0 up to the bound, which it does not reach.</summary>
    public int Next(int bound) => (int)(((Next() >> 32) * (ulong)(uint)bound) >> 32);

    public int Next(int first, int bound) => first + Next(bound - first);

    public byte NextByte() => (byte)(Next() >> 56);

    public ulong Next()
    {
        var z = _state += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
