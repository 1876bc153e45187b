namespace Cluster.Pile.Tables.Log;

/// <summary>One log segment: its place and the class of its records. Immutable except for its turn, the kept place and
/// the sweeper's marks. Its other state lies in its header (see <see cref="SegmentHeader"/>) and in the descriptor of
/// its first block.</summary>
internal sealed class LogSegment(long head, long offset, long bytes, LogClass logClass, ulong sequence)
{
    private long _kept;

    public long Head { get; } = head;

    /// <summary>The offset of the segment's header in the window.</summary>
    public long Offset { get; } = offset;

    /// <summary>The size of the segment, header included.</summary>
    public long Bytes { get; } = bytes;

    public LogClass Class { get; } = logClass;

    public ulong Sequence { get; } = sequence;

    /// <summary>The order of eviction among the segments of one class: lower turns first. Guarded by the lock of the
    /// sweeper.</summary>
    public ulong Turn { get; set; } = sequence;

    /// <summary>Whether the segment was kept as it is when its last turn came. Guarded by the lock of the
    /// sweeper.</summary>
    public bool IsKept { get; set; }

    /// <summary>Whether a sweep has gone through the whole segment. Records that are left wait only for the deletion of
    /// their objects. Set by the sweeper under its lock.</summary>
    public bool IsEmptied { get; set; }

    public long CursorAt => Offset + SegmentHeader.CursorAt;

    /// <summary>The place of a dead record that the next record of the same extent takes; zero for none. Its bytes do
    /// not count as dead, so the segment does not end meanwhile.</summary>
    public long Kept => Volatile.Read(ref _kept);

    /// <summary>Whether an offset lies behind the segment's header and within the segment.</summary>
    public bool Holds(long offset) => offset - Offset < Bytes && offset > Offset;

    /// <summary>Takes the kept place. False: another thread took it.</summary>
    public bool TryTakeKept(long offset) => Interlocked.CompareExchange(ref _kept, 0, offset) == offset;

    /// <summary>Sets the kept place, or clears it with zero; returns the one before.</summary>
    public long ExchangeKept(long offset) => Interlocked.Exchange(ref _kept, offset);
}
