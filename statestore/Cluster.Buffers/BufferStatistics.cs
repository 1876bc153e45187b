namespace Cluster.Buffers;

/// <summary>What the buffers of a budget cost. An immutable snapshot; exact when nothing else runs and close
/// otherwise.</summary>
public sealed record BufferStatistics
{
    internal BufferStatistics()
    {
    }

    /// <summary>Live buffers.</summary>
    public long Buffers { get; init; }

    /// <summary>The sizes that were asked for, of all live buffers.</summary>
    public long LiveBytes { get; init; }

    /// <summary>What the buffers take of the budget, rounding and slabs of small buffers included.</summary>
    public long TakenBytes { get; init; }

    /// <summary>Memory of freed buffers that stays resident for the next ones.</summary>
    public long ReservedBytes { get; init; }

    /// <summary>The hard cap, <see cref="BufferBudget.CapBytes"/>.</summary>
    public long CapBytes { get; init; }

    /// <summary>Buffers that nobody freed, since the start; of the process-wide budget those of piles, too.</summary>
    public long Leaks { get; init; }
}
