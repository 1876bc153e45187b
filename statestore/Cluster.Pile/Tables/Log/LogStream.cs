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

    /// <summary>Removes a segment from the open ones. True: no open segment is left.</summary>
    public bool Forget(LogSegment segment)
    {
        for (var lane = 0; lane < _open.Length; lane++)
        {
            if (ReferenceEquals(_open[lane], segment))
                SetOpen(lane, null);
        }

        return Array.TrueForAll(_open, open => open is null);
    }

    public void Clear() => Array.Clear(_open);

    public void SetOpen(int lane, LogSegment? segment) => Volatile.Write(ref _open[lane], segment);
}
