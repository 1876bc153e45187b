namespace Cluster.Pile.Tables.Log;

/// <summary>The open segments of one class of records; several, so that threads do not contend for one cursor. Guarded
/// by the lock of its log; threads read the references without it.</summary>
internal sealed class LogStream(LogClass logClass, int lanes)
{
    private readonly LogSegment?[] _open = new LogSegment?[lanes];

    public LogClass Class { get; } = logClass;

    public int Lanes => _open.Length;

    public LogSegment? Open(int lane) => Volatile.Read(ref _open[lane]);

    public int Level => Class.Level;

    /// <summary>Whether no segment is open.</summary>
    public bool IsIdle => Array.TrueForAll(_open, open => open is null);

    /// <summary>Removes a segment from the open ones. False: it is not one of them.</summary>
    public bool TryForget(LogSegment segment)
    {
        var lane = Array.IndexOf(_open, segment);
        if (lane >= 0)
            SetOpen(lane, null);
        return lane >= 0;
    }

    public void Clear() => Array.Clear(_open);

    public void SetOpen(int lane, LogSegment? segment) => Volatile.Write(ref _open[lane], segment);
}
