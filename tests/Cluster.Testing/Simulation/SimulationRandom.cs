namespace Cluster.Testing.Simulation;

/// <summary>The random numbers of a simulated run: splitmix64 with whole numbers only, so that a seed gives the same
/// numbers on every machine and every runtime. Used by one thread.</summary>
/// <param name="seed">The same seed gives the same numbers.</param>
public sealed class SimulationRandom(ulong seed)
{
    /// <summary>Chances are given in parts of this number.</summary>
    public const int Million = 1_000_000;

    private const ulong Step = 0x9E37_79B9_7F4A_7C15;

    private ulong _state = Mix(seed + Step);

    /// <summary>Returns the next 64 random bits.</summary>
    public ulong Next() => Mix(_state += Step);

    /// <summary>Returns a number from zero to one less than the bound.</summary>
    /// <param name="bound">Above zero.</param>
    public int Next(int bound)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(bound);
        return (int)Math.BigMul(Next(), (ulong)bound, out _);
    }

    /// <summary>Returns a number from the first to the last one, both included.</summary>
    /// <param name="first">The smallest number.</param>
    /// <param name="last">The largest number.</param>
    public int Between(int first, int last) => first + Next(last - first + 1);

    /// <summary>Returns a time from the shortest to just below the longest one.</summary>
    /// <param name="shortest">The shortest time.</param>
    /// <param name="longest">The longest time.</param>
    public TimeSpan Between(TimeSpan shortest, TimeSpan longest)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(longest, shortest);
        var range = (ulong)(longest - shortest).Ticks;
        return shortest + new TimeSpan((long)Math.BigMul(Next(), range, out _));
    }

    /// <summary>Returns true with a chance in parts of a million.</summary>
    /// <param name="parts">Zero: never. A million: always.</param>
    public bool Chance(int parts) => parts > 0 && Next(Million) < parts;

    /// <summary>Returns one of the items.</summary>
    /// <param name="items">At least one item.</param>
    public T Pick<T>(IReadOnlyList<T> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        return items[Next(items.Count)];
    }

    /// <summary>Returns a random identity.</summary>
    public Guid NextGuid()
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Next());
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], Next());
        return new Guid(bytes);
    }

    /// <summary>Returns a generator of its own for one part of the run. What this part draws does not move the numbers
    /// of the other parts.</summary>
    public SimulationRandom Fork() => new(Next());

    /// <summary>Spreads the bits of a number over all 64 bits.</summary>
    internal static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9;
        value = (value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB;
        return value ^ (value >> 31);
    }
}
