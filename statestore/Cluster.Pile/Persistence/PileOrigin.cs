using Cluster.Pile.Slots;

namespace Cluster.Pile.Persistence;

/// <summary>What a pile begins with so that pointers and deadlines of an earlier one go on. Immutable.</summary>
internal sealed record PileOrigin
{
    /// <summary>The secret of the generations; pointers are valid only under that which made them.</summary>
    public required GenerationMask Mask { get; init; }

    /// <summary>The first counter of addresses that were never used.</summary>
    public required uint CounterFirst { get; init; }

    /// <summary>The step of the clock at which the pile begins.</summary>
    public uint ClockStep { get; init; }

    /// <summary>Where the clock of records begins; null stands for the wall clock.</summary>
    public long? RecordTicks { get; init; }

    /// <summary>The number by which <see cref="Piled{T}"/> finds the pile.</summary>
    public required ulong Identity { get; init; }

    /// <summary>Whether the high water of a block in use is a floor for the counters of its slots, because pointers
    /// above those may have been given out that the pile does not know of.</summary>
    public bool HasFloors { get; init; }

    /// <summary>The origin of a pile that nothing came before.</summary>
    public static PileOrigin New(uint counterFirst) => new()
    {
        Mask = GenerationMask.CreateRandom(),
        CounterFirst = counterFirst,
        Identity = PileDirectory.NewIdentity(),
    };
}
