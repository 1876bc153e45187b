namespace Cluster.Pile.Records;

/// <summary>
/// One log segment: where it is and what kind of records it holds. Immutable; what changes lies in its header, see
/// <see cref="SegmentHeader"/>, and in the descriptor of its first block.
/// </summary>
internal sealed class LogSegment
{
    public LogSegment(long head, long offset, long bytes, LogClass logClass, ulong sequence)
    {
        Head = head;
        Offset = offset;
        Bytes = bytes;
        Class = logClass;
        Sequence = sequence;
    }

    /// <summary>The first block.</summary>
    public long Head { get; }

    /// <summary>Where the header is.</summary>
    public long Offset { get; }

    /// <summary>All bytes, header included.</summary>
    public long Bytes { get; }

    public LogClass Class { get; }

    public ulong Sequence { get; }

    public long CursorAt => Offset + SegmentHeader.CursorAt;
}
