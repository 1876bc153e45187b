using Cluster.Pile.Layout;

namespace Cluster.Pile.Context;

/// <summary>The values with which a new pile continues an earlier one, so that its pointers and deadlines stay valid.
/// Immutable.</summary>
internal sealed record PileOrigin
{
    /// <summary>The secret of the generations; pointers are valid only under the secret that made them.</summary>
    public required GenerationMask Mask { get; init; }

    /// <summary>The first counter of slots in addresses that were never used.</summary>
    public required uint CounterFirst { get; init; }

    /// <summary>The step of the clock at which the pile begins.</summary>
    public uint ClockStep { get; init; }

    /// <summary>The start of the clock of records, in ticks; null: the wall clock.</summary>
    public long? RecordTicks { get; init; }

    /// <summary>The number by which <see cref="Piled{T}"/> finds the pile.</summary>
    public required ulong Identity { get; init; }

    /// <summary>Whether the high water of a block in use is the lower bound of the counters of its slots, because an
    /// earlier pile may have given out pointers above the counters in the slots.</summary>
    public bool HasFloors { get; init; }

    /// <summary>The origin of a pile without a predecessor.</summary>
    public static PileOrigin New(uint counterFirst) => new()
    {
        Mask = GenerationMask.CreateRandom(),
        CounterFirst = counterFirst,
        Identity = PileDirectory.NewIdentity(),
    };
}
