namespace Cluster.Buffers;

/// <summary>Remembers where buffers were created while diagnostics are on, and the last buffers that were not freed.
/// Thread-safe; a lock guards the list.</summary>
internal sealed class BufferWatch
{
    /// <summary>How many leaks are kept; older ones are only counted.</summary>
    public const int LeaksMax = 64;

    private readonly ConcurrentDictionary<ulong, string> _createdAt = [];
    private readonly Lock _gate = new();
    private readonly Queue<BufferLeak> _leaks = [];
    private volatile BufferDiagnostics _diagnostics = ForThisBuild();
    private long _leakCount;

    public BufferDiagnostics Diagnostics
    {
        get => _diagnostics;
        set => _diagnostics = value;
    }

    public long LeakCount => Volatile.Read(ref _leakCount);

    public IReadOnlyList<BufferLeak> RecentLeaks()
    {
        lock (_gate)
            return [.. _leaks];
    }

    public void NoteCreated(ulong handle)
    {
        if (_diagnostics == BufferDiagnostics.Full)
            _createdAt[handle] = new StackTrace(skipFrames: 2, fNeedFileInfo: true).ToString();
    }

    public void NoteFreed(ulong handle)
    {
        if (!_createdAt.IsEmpty)
            _createdAt.TryRemove(handle, out _);
    }

    public void Report(string budget, ulong handle, long bytes)
    {
        _createdAt.TryRemove(handle, out var createdAt);
        lock (_gate)
        {
            if (_leaks.Count == LeaksMax)
                _leaks.Dequeue();
            _leaks.Enqueue(new BufferLeak(budget, bytes, createdAt));
            Volatile.Write(ref _leakCount, _leakCount + 1);
        }

        Debug.WriteLine($"A buffer of {bytes:N0} bytes of \"{budget}\" was not freed. Created at: {createdAt}");
    }

    private static BufferDiagnostics ForThisBuild()
    {
        var diagnostics = BufferDiagnostics.Off;
        TurnOnInDebug(ref diagnostics);
        return diagnostics;
    }

    [Conditional("DEBUG")]
    private static void TurnOnInDebug(ref BufferDiagnostics diagnostics) => diagnostics = BufferDiagnostics.Full;
}

/// <summary>A buffer that nobody freed: its pile was disposed, which took the memory back; or its array was collected
/// as garbage, and the memory is still taken, because a span of it may be in use. Immutable.</summary>
/// <param name="Budget">Whose memory it was: the name of a pile or of a <see cref="BufferBudget"/>.</param>
/// <param name="Bytes">The size that was asked for.</param>
/// <param name="CreatedAt">The calls that led to its creation; null unless diagnostics were on then.</param>
public sealed record BufferLeak(string Budget, long Bytes, string? CreatedAt);
