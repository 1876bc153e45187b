namespace Cluster.Pile.Records;

/// <summary>One log segment: where it is and what kind of records it holds. Immutable but for the place it keeps and
/// whether it was emptied; what else changes lies in its header, see <see cref="SegmentHeader"/>, and in the descriptor
/// of its first block.</summary>
internal sealed class LogSegment(long head, long offset, long bytes, LogClass logClass, ulong sequence)
{
    private long _kept;

    /// <summary>The first block.</summary>
    public long Head { get; } = head;

    /// <summary>Where the header is.</summary>
    public long Offset { get; } = offset;

    /// <summary>All bytes, header included.</summary>
    public long Bytes { get; } = bytes;

    public LogClass Class { get; } = logClass;

    public ulong Sequence { get; } = sequence;

    /// <summary>When its turn to be evicted comes among those of its class: lower ones first. Guarded by the lock of
    /// the sweeper.</summary>
    public ulong Turn { get; set; } = sequence;

    /// <summary>Whether it was kept whole when its turn came. Guarded by the lock of the sweeper.</summary>
    public bool IsKept { get; set; }

    /// <summary>Whether a sweep has gone through all of it: what is left only waits for objects to be deleted. Set by
    /// the sweeper under its lock.</summary>
    public bool IsEmptied { get; set; }

    public long CursorAt => Offset + SegmentHeader.CursorAt;

    /// <summary>Where a record died whose place the next one of the same extent takes; zero for none. It does not count
    /// as dead, so the segment does not end meanwhile.</summary>
    public long Kept => Volatile.Read(ref _kept);

    /// <summary>Whether a record lies in the segment.</summary>
    public bool Holds(long offset) => offset - Offset < Bytes && offset > Offset;

    /// <summary>Takes the kept place; false when somebody else did.</summary>
    public bool TryTakeKept(long offset) => Interlocked.CompareExchange(ref _kept, 0, offset) == offset;

    /// <summary>Keeps another place, or none, and gives the one before.</summary>
    public long ExchangeKept(long offset) => Interlocked.Exchange(ref _kept, offset);
}
