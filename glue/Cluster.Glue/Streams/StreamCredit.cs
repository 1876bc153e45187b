namespace Cluster.Glue.Streams;

/// <summary>The credit that the reader of a stream gives its owner: items and bytes that the owner may send. Protected
/// by one lock; only one caller may wait at a time.</summary>
internal sealed class StreamCredit
{
    private readonly Lock _gate = new();
    private long _items;
    private long _bytes;
    private bool _isStarted;
    private bool _isClosed;
    private TaskCompletionSource? _waiter;

    public bool IsStarted => Volatile.Read(ref _isStarted);

    /// <summary>Adds credit. True: it is the first credit, which starts the stream.</summary>
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

    /// <summary>Ends the wait for credit, because nobody reads any more. True: reading had begun.</summary>
    public bool Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            WakeNeedsLock();
            return _isStarted;
        }
    }

    /// <summary>Takes the credit of all items; zero when there is none.</summary>
    public long TakeItems()
    {
        lock (_gate)
        {
            var taken = _items;
            _items = 0;
            return taken;
        }
    }

    /// <summary>Takes credit for bytes, up to a maximum; zero when there is none.</summary>
    public int TakeBytes(int bytesMax)
    {
        lock (_gate)
        {
            var taken = (int)Math.Min(bytesMax, Math.Max(0, _bytes));
            _bytes -= taken;
            return taken;
        }
    }

    /// <summary>Completes when there is credit, or nobody reads any more.</summary>
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
