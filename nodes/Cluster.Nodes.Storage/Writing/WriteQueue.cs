using System.Threading.Channels;
using Cluster.Contracts.Pacing;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>The keys of one state that have to be stored, each once however often it is written, with the time when
/// each is due. Bounded: when it is full, further keys wait for room. A private lock protects it.</summary>
internal sealed class WriteQueue : IDisposable
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(15);

    // A timer counts whole milliseconds.
    private static readonly TimeSpan PauseLeast = TimeSpan.FromMilliseconds(1);

    private readonly Lock _lock = new();
    private readonly Dictionary<byte[], WaitingKey> _keys = new(KeyBytesComparer.Instance);
    private readonly PriorityQueue<WaitingKey, long> _due = new();
    private readonly Channel<WaitingKey> _ready = Channel.CreateUnbounded<WaitingKey>();
    private readonly Jitter _jitter = new();
    private readonly SemaphoreSlim _room;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private TaskCompletionSource? _empty;

    /// <summary>Makes an empty queue.</summary>
    /// <param name="maxKeys">How many keys have room.</param>
    /// <param name="time">The clock.</param>
    public WriteQueue(int maxKeys, TimeProvider time)
    {
        _room = new SemaphoreSlim(maxKeys);
        _time = time;
        _timer = time.CreateTimer(
            static queue => ((WriteQueue)queue!).Advance(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>How many keys are in the queue, those that are being stored among them.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _keys.Count;
        }
    }

    /// <summary>Adds a key that a writer has told. Returns whether its wait begins now: it was not in the queue, or
    /// the attempt that runs may not store what the writer has written.</summary>
    /// <param name="key">The key.</param>
    /// <param name="delay">After which time it is due.</param>
    /// <param name="waiter">Who waits for the attempt; null: nobody.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    public ValueTask<bool> AddAsync(
        byte[] key, TimeSpan delay, KeyWaiter? waiter, CancellationToken cancellationToken) =>
        AddAsync(key, delay, waiter, isFromScan: false, cancellationToken);

    /// <summary>Adds a key that a scan has found; it is due at once.</summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Ends the wait for room.</param>
    public async Task AddFoundAsync(byte[] key, CancellationToken cancellationToken) =>
        await AddAsync(key, TimeSpan.Zero, waiter: null, isFromScan: true, cancellationToken).ConfigureAwait(false);

    /// <summary>The keys that are due, as their time comes. Each is to be begun and ended.</summary>
    public IAsyncEnumerable<WaitingKey> TakeAsync(CancellationToken cancellationToken) =>
        _ready.Reader.ReadAllAsync(cancellationToken);

    /// <summary>Begins an attempt. Returns who waits for it.</summary>
    public List<KeyWaiter> Begin(WaitingKey key)
    {
        lock (_lock)
        {
            key.Phase = KeyPhase.Running;
            key.IsNotedAgain = false;
            var waiters = key.Waiters;
            key.Waiters = [];
            return waiters;
        }
    }

    /// <summary>Ends an attempt that has succeeded: the key leaves, unless it was noted again meanwhile.</summary>
    /// <param name="key">The key.</param>
    /// <param name="delay">After which time a key is due that was noted again.</param>
    public void End(WaitingKey key, TimeSpan delay)
    {
        lock (_lock)
        {
            key.FailureCount = 0;
            if (key.IsNotedAgain)
            {
                WaitNeedsLock(key, key.Waiters.Count > 0 ? TimeSpan.Zero : delay);
                return;
            }

            _keys.Remove(key.Key);
            _room.Release();
            if (_keys.Count > 0)
                return;
            _empty?.TrySetResult();
            _empty = null;
        }
    }

    /// <summary>Ends an attempt that has failed: the key is due again after a pause that grows with each
    /// failure.</summary>
    public void Retry(WaitingKey key)
    {
        lock (_lock)
        {
            var pause = _jitter.Spread(Backoff.Pause(PauseMin, PauseMax, key.FailureCount++));
            WaitNeedsLock(key, key.Waiters.Count > 0 ? TimeSpan.Zero : pause);
        }
    }

    /// <summary>Whether a key was noted again since its attempt began.</summary>
    public bool IsNotedAgain(WaitingKey key)
    {
        lock (_lock)
            return key.IsNotedAgain;
    }

    /// <summary>Takes all who wait for an attempt that will not be made.</summary>
    public KeyWaiter[] TakeWaiters()
    {
        lock (_lock)
        {
            KeyWaiter[] waiters = [.. _keys.Values.SelectMany(key => key.Waiters)];
            foreach (var key in _keys.Values)
                key.Waiters = [];
            return waiters;
        }
    }

    /// <summary>Makes all keys due now, and those that come later at once. Waits until none is left.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    public Task EmptyAsync(CancellationToken cancellationToken)
    {
        Task empty;
        lock (_lock)
        {
            if (_keys.Count == 0)
                return Task.CompletedTask;
            _empty ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            empty = _empty.Task;
            foreach (var key in _keys.Values.Where(key => key.Phase == KeyPhase.Waiting))
                WaitNeedsLock(key, TimeSpan.Zero);
        }

        return empty.WaitAsync(cancellationToken);
    }

    public void Dispose()
    {
        _timer.Dispose();
        _ready.Writer.TryComplete();
        _room.Dispose();
    }

    private async ValueTask<bool> AddAsync(
        byte[] key, TimeSpan delay, KeyWaiter? waiter, bool isFromScan, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            if (JoinNeedsLock(key, delay, waiter, isFromScan) is { } begins)
                return begins;
        }

        await _room.WaitAsync(cancellationToken).ConfigureAwait(false);
        lock (_lock)
        {
            if (JoinNeedsLock(key, delay, waiter, isFromScan) is { } begins)
            {
                _room.Release();
                return begins;
            }

            var added = new WaitingKey(key) { IsFromScan = isFromScan };
            if (waiter is not null)
                added.Waiters.Add(waiter);
            _keys.Add(key, added);
            WaitNeedsLock(added, delay);
            return true;
        }
    }

    // Null: the key is not in the queue.
    private bool? JoinNeedsLock(byte[] key, TimeSpan delay, KeyWaiter? waiter, bool isFromScan)
    {
        if (!_keys.TryGetValue(key, out var known))
            return null;
        known.IsFromScan &= isFromScan;
        if (waiter is not null)
            known.Waiters.Add(waiter);
        var begins = known is { Phase: KeyPhase.Running, IsNotedAgain: false };
        if (known.Phase == KeyPhase.Running)
            known.IsNotedAgain = true;

        // A write that nobody waits for does not shorten the pause after a failure, and a scan shortens no wait.
        var isEarlier = waiter is not null || (known.FailureCount == 0 && !isFromScan);
        if (known.Phase == KeyPhase.Waiting && isEarlier && DueAfter(delay) < known.DueAt)
            WaitNeedsLock(known, delay);
        return begins;
    }

    private void WaitNeedsLock(WaitingKey key, TimeSpan delay)
    {
        key.Phase = KeyPhase.Waiting;
        key.DueAt = DueAfter(_empty is not null && key.FailureCount == 0 ? TimeSpan.Zero : delay);
        _due.Enqueue(key, key.DueAt);
        AdvanceNeedsLock();
    }

    private void Advance()
    {
        lock (_lock)
            AdvanceNeedsLock();
    }

    private void AdvanceNeedsLock()
    {
        var now = _time.GetTimestamp();
        while (_due.TryPeek(out var key, out var dueAt))
        {
            // A key whose time was set anew leaves an entry with its earlier time.
            var isCurrent = key.Phase == KeyPhase.Waiting && key.DueAt == dueAt;
            if (isCurrent && dueAt > now)
            {
                var pause = _time.GetElapsedTime(now, dueAt);
                _timer.Change(pause > PauseLeast ? pause : PauseLeast, Timeout.InfiniteTimeSpan);
                return;
            }

            _due.Dequeue();
            if (!isCurrent)
                continue;
            key.Phase = KeyPhase.Ready;
            _ready.Writer.TryWrite(key);
        }
    }

    private long DueAfter(TimeSpan delay) =>
        _time.GetTimestamp() + (long)(delay.TotalSeconds * _time.TimestampFrequency);
}
