namespace Cluster.Glue.Streams;

/// <summary>What the reader of a stream lets its owner send: items and bytes, which it gives back as they are read.
/// Protected by one lock; one waits at a time.</summary>
internal sealed class StreamCredit
{
    private readonly Lock _gate = new();
    private long _items;
    private long _bytes;
    private bool _isStarted;
    private bool _isClosed;
    private TaskCompletionSource? _waiter;

    public bool IsStarted => Volatile.Read(ref _isStarted);

    /// <summary>True when this is the first credit, which starts the stream.</summary>
    public bool Add(long items, long bytes)
    {
        lock (_gate)
        {
            var isFirst = !_isStarted && !_isClosed;
            _isStarted = true;
            _items += items;
            _bytes += bytes;
            WakeNeedsLock();
            return isFirst;
        }
    }

    /// <summary>Nobody reads any more; true when somebody did.</summary>
    public bool Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            WakeNeedsLock();
            return _isStarted;
        }
    }

    /// <summary>Takes all items that may be made; zero when none may.</summary>
    public long TakeItems()
    {
        lock (_gate)
        {
            var taken = _items;
            _items = 0;
            return taken;
        }
    }

    /// <summary>Takes as many bytes as may be sent, up to a maximum; zero when none may.</summary>
    public int TakeBytes(int bytesMax)
    {
        lock (_gate)
        {
            var taken = (int)Math.Min(bytesMax, Math.Max(0, _bytes));
            _bytes -= taken;
            return taken;
        }
    }

    /// <summary>Completes when there is more credit than before, or nobody reads any more.</summary>
    public Task WaitAsync(bool forBytes)
    {
        lock (_gate)
        {
            if (_isClosed || (forBytes ? _bytes : _items) > 0)
                return Task.CompletedTask;
            _waiter ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _waiter.Task;
        }
    }

    private void WakeNeedsLock()
    {
        _waiter?.TrySetResult();
        _waiter = null;
    }
}
