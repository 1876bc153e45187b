using Cluster.Pile.Layout;

namespace Cluster.Pile.Memory;

/// <summary>The ranges of disposed piles, process-wide. They stay mapped as zero pages, so that a span that is kept too
/// long reads wrong data but never faults, and the next pile of about that size reuses one. Guarded by its lock;
/// bounded by the most piles that were ever open at once.</summary>
internal static class NativeRangePool
{
    private const long AlignmentBytes = BlockLayout.SegmentBytes;

    // A range is reused for requests down to this fraction, so that small piles do not hold the addresses of huge ones.
    private const int WasteFactorMax = 2;

    private static readonly Lock Gate = new();
    private static readonly List<NativeRange> Idle = [];

    /// <summary>Takes an idle range that fits, or reserves one. Its start is aligned to a segment, and its bytes are
    /// zero.</summary>
    public static NativeRange Rent(INativeMemorySource source, long bytes)
    {
        if (TryRent(source, bytes, out var range))
            return range;
        throw new InsufficientMemoryException(
            $"The system refused to reserve {bytes:N0} bytes of addresses; lower "
            + $"{nameof(PileOptions.BudgetBytes)} or raise the limit on the address space of this process.");
    }

    /// <summary>Like <see cref="Rent"/>. False: the system refuses.</summary>
    public static bool TryRent(INativeMemorySource source, long bytes, [NotNullWhen(true)] out NativeRange? range)
    {
        lock (Gate)
        {
            var best = -1;
            for (var i = 0; i < Idle.Count; i++)
            {
                if (Fits(Idle[i], source, bytes) && (best < 0 || Idle[i].Length < Idle[best].Length))
                    best = i;
            }

            if (best >= 0)
            {
                range = Idle[best];
                Idle.RemoveAt(best);
                return true;
            }
        }

        range = Reserve(source, bytes);
        return range is not null;
    }

    /// <summary>Makes the part before the blocks usable; returns the range to the pool when the system
    /// refuses.</summary>
    public static void CommitBookkeeping(NativeRange range, BlockLayout layout)
    {
        if (range.TryCommit(0, layout.BlocksOffset))
            return;
        Return(range);
        throw new InsufficientMemoryException(
            $"The system refused {layout.BlocksOffset:N0} bytes for the bookkeeping of a pile of "
            + $"{layout.BudgetBytes:N0} bytes; lower {nameof(PileOptions.BudgetBytes)} or free memory.");
    }

    /// <summary>Zeroes the range and keeps it for the next pile.</summary>
    public static void Return(NativeRange range)
    {
        range.DiscardAll();
        lock (Gate)
            Idle.Add(range);
    }

    private static bool Fits(NativeRange range, INativeMemorySource source, long bytes) =>
        range.Source == source && range.Length >= bytes && range.Length / WasteFactorMax <= bytes;

    private static NativeRange? Reserve(INativeMemorySource source, long bytes)
    {
        var address = source.Reserve(bytes + AlignmentBytes);
        if (address == 0)
            return null;
        var aligned = (nint)(((long)address + AlignmentBytes - 1) / AlignmentBytes * AlignmentBytes);
        return new NativeRange(source, aligned, bytes);
    }
}
