using Cluster.Pile.Tables.Index;

namespace Cluster.Pile.Tables.Eviction;

/// <summary>Counts how much of a segment is in demand, record by record. A mutable value, owned by the
/// sweeper.</summary>
internal struct SegmentAccessCounts
{
    /// <summary>When a segment is kept, the counts of its records are lowered to this value, so that one more read can
    /// be seen.</summary>
    public const int CalmReads = IndexPage.FrequencyMax - 1;

    // The largest share of bytes without reads: a tenth when any read counts; a quarter when only reads since the
    // segment was kept count, because some records may still get theirs. A loop reads all records; of the records that
    // demand after Zipf's law leaves in a segment, three fifths are read.
    private const int IdleShareEver = 10;
    private const int IdleShareSinceKept = 4;

    private readonly int _readsAsked;
    private readonly long _idleMax;
    private long _asked;
    private long _idle;

    private SegmentAccessCounts(int readsAsked, long idleMax)
    {
        _readsAsked = readsAsked;
        _idleMax = idleMax;
    }

    /// <summary>Whether nearly all of the counted bytes are in demand.</summary>
    public readonly bool IsHigh =>
        _idle * (_readsAsked == 1 ? IdleShareEver : IdleShareSinceKept) <= _asked + _idle;

    /// <summary>For a segment whose turn comes for the first time: any read counts.</summary>
    public static SegmentAccessCounts Ever(long bytes) => new(1, bytes / IdleShareEver);

    /// <summary>For a segment that was kept before: only reads since then count.</summary>
    public static SegmentAccessCounts SinceKept() => new(IndexPage.FrequencyMax, long.MaxValue);

    /// <summary>Counts a record. False: the other records cannot change the answer any more.</summary>
    public bool TryCount(long extent, int reads)
    {
        if (reads >= _readsAsked)
            _asked += extent;
        else
            _idle += extent;
        return _idle <= _idleMax;
    }
}
