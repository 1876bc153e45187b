namespace Cluster.Pile.Records;

/// <summary>
/// The open segments of one class of records, several so that threads do not meet at one cursor. Guarded by the lock of
/// its log; the places are read without it.
/// </summary>
internal sealed class LogStream
{
    private readonly LogSegment?[] _open;

    public LogStream(LogClass logClass, int lanes)
    {
        Class = logClass;
        _open = new LogSegment?[lanes];
    }

    public LogClass Class { get; }

    public int Lanes => _open.Length;

    public LogSegment? Open(int lane) => Volatile.Read(ref _open[lane]);

    public void Clear() => Array.Clear(_open);

    public void SetOpen(int lane, LogSegment? segment) => Volatile.Write(ref _open[lane], segment);
}
