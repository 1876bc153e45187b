namespace Cluster.Pile.Records;

/// <summary>How much of a segment is in demand, counted record by record. A mutable value, owned by the
/// sweeper.</summary>
internal struct SegmentDemand
{
    /// <summary>Records of a kept segment are set to so many reads, so one more tells that there was one.</summary>
    public const int CalmReads = IndexPage.FrequencyMax - 1;

    // Nearly all, where any read counts; reads since the last time may still come for some. A loop asks for all; of
    // what a demand after Zipf's law has left behind, three fifths are asked for.
    private const int IdleShareEver = 10;
    private const int IdleShareSinceKept = 4;

    private readonly int _readsAsked;
    private readonly long _idleMax;
    private long _asked;
    private long _idle;

    private SegmentDemand(int readsAsked, long idleMax)
    {
        _readsAsked = readsAsked;
        _idleMax = idleMax;
    }

    /// <summary>Whether enough of what was counted is in demand.</summary>
    public readonly bool IsHigh =>
        _idle * (_readsAsked == 1 ? IdleShareEver : IdleShareSinceKept) <= _asked + _idle;

    /// <summary>Of a segment of so many bytes whose turn comes for the first time: any read counts.</summary>
    public static SegmentDemand Ever(long bytes) => new(1, bytes / IdleShareEver);

    /// <summary>Of a segment that was kept before: reads since then count.</summary>
    public static SegmentDemand SinceKept() => new(IndexPage.FrequencyMax, long.MaxValue);

    /// <summary>Counts a record; false when the rest cannot change the answer any more.</summary>
    public bool TryCount(long extent, int reads)
    {
        if (reads >= _readsAsked)
            _asked += extent;
        else
            _idle += extent;
        return _idle <= _idleMax;
    }
}
