namespace Cluster.Glue.Serving;

/// <summary>The calls of one peer that are queued or running here, found by id when a Cancel arrives. Buckets of
/// chained calls, so that nothing is allocated per call. Protected by one lock.</summary>
internal sealed class RunningCalls(int countMax)
{
    private const int InitialBuckets = 16;
    private const int BucketsMax = 1024;

    private readonly Lock _gate = new();
    private IncomingCall?[] _buckets = new IncomingCall?[InitialBuckets];
    private int _count;
    private int _oneWayCount;
    private long _earliestDeadline = long.MaxValue;
    private TaskCompletionSource? _room;
    private TaskCompletionSource? _empty;
    private TaskCompletionSource? _noOneWays;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Whether the deadlines of some are still to be watched, as far as is known without a look.</summary>
    public bool HasDeadlines => Count > 0 && Volatile.Read(ref _earliestDeadline) != long.MaxValue;

    /// <summary>Those that are not answered.</summary>
    public int OneWayCount => Volatile.Read(ref _oneWayCount);

    /// <summary>Whether no more one-way calls should be taken. Others are bounded by their caller, who waits for them,
    /// and reading must go on for those: their cancellations come behind them.</summary>
    public bool IsFull => OneWayCount >= countMax;

    public void Add(IncomingCall call)
    {
        lock (_gate)
        {
            if (_count == _buckets.Length && _count < BucketsMax)
                GrowNeedsLock();
            LinkNeedsLock(call);
            _earliestDeadline = Math.Min(_earliestDeadline, call.Context.DeadlineTimestamp);
            _count++;
            if (call.IsOneWay)
                _oneWayCount++;
        }
    }

    public void Remove(IncomingCall call)
    {
        TaskCompletionSource? room = null;
        TaskCompletionSource? empty = null;
        TaskCompletionSource? noOneWays = null;
        lock (_gate)
        {
            UnlinkNeedsLock(call);
            _count--;
            if (call.IsOneWay)
                _oneWayCount--;
            if (_oneWayCount < countMax)
                (room, _room) = (_room, null);
            if (_count == 0)
                (empty, _empty) = (_empty, null);
            if (_oneWayCount == 0)
                (noOneWays, _noOneWays) = (_noOneWays, null);
        }

        room?.TrySetResult();
        empty?.TrySetResult();
        noOneWays?.TrySetResult();
    }

    /// <summary>The context of a call, to cancel it; null when it has ended.</summary>
    public GlueCall? Find(ulong callId)
    {
        lock (_gate)
        {
            for (var call = BucketOf(callId); call is not null; call = call.NextRunning)
            {
                if (call.CallId == callId)
                    return call.Context;
            }

            return null;
        }
    }

    /// <summary>Cancels all calls.</summary>
    public void CancelAll() => CancelUntil(long.MaxValue);

    /// <summary>Cancels the calls that are answered.</summary>
    public void CancelAwaited() => CancelUntil(long.MaxValue, withOneWays: false);

    /// <summary>Cancels the calls whose deadline is not after now. Looks at none before the earliest one.</summary>
    public void CancelExpired(long now)
    {
        if (Volatile.Read(ref _earliestDeadline) <= now)
            CancelUntil(now);
    }

    // Outside of the lock: what users hang on a token runs elsewhere, but may come back here at once.
    private void CancelUntil(long deadlineMax, bool withOneWays = true)
    {
        foreach (var call in CollectUntil(deadlineMax, withOneWays))
            call.Cancel();
    }

    private List<GlueCall> CollectUntil(long deadlineMax, bool withOneWays)
    {
        var found = new List<GlueCall>();
        lock (_gate)
        {
            _earliestDeadline = long.MaxValue;
            for (var i = 0; i < _buckets.Length && _count > 0; i++)
            {
                for (var call = _buckets[i]; call is not null; call = call.NextRunning)
                {
                    if (call.Context.IsCancelled)
                        continue;
                    if (call.Context.DeadlineTimestamp <= deadlineMax && (withOneWays || !call.IsOneWay))
                        found.Add(call.Context);
                    else
                        _earliestDeadline = Math.Min(_earliestDeadline, call.Context.DeadlineTimestamp);
                }
            }
        }

        return found;
    }

    public Task WaitForRoomAsync()
    {
        lock (_gate)
        {
            if (_oneWayCount < countMax)
                return Task.CompletedTask;
            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    public Task WaitUntilEmptyAsync()
    {
        lock (_gate)
        {
            if (_count == 0)
                return Task.CompletedTask;
            _empty ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _empty.Task;
        }
    }

    /// <summary>Completes when none runs that is not answered.</summary>
    public Task WaitForOneWaysAsync()
    {
        lock (_gate)
        {
            if (_oneWayCount == 0)
                return Task.CompletedTask;
            _noOneWays ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _noOneWays.Task;
        }
    }

    private ref IncomingCall? BucketOf(ulong callId) => ref _buckets[callId % (uint)_buckets.Length];

    private void GrowNeedsLock()
    {
        var smaller = _buckets;
        _buckets = new IncomingCall?[smaller.Length * 2];
        foreach (var head in smaller)
        {
            for (var call = head; call is not null;)
            {
                var next = call.NextRunning;
                call.PreviousRunning = null;
                LinkNeedsLock(call);
                call = next;
            }
        }
    }

    private void LinkNeedsLock(IncomingCall call)
    {
        ref var head = ref BucketOf(call.CallId);
        call.NextRunning = head;
        if (head is not null)
            head.PreviousRunning = call;
        head = call;
    }

    // Linked both ways: one-way calls have no id of their own and all lie in one bucket.
    private void UnlinkNeedsLock(IncomingCall call)
    {
        (var previous, var next) = (call.PreviousRunning, call.NextRunning);
        if (previous is null)
            BucketOf(call.CallId) = next;
        else
            previous.NextRunning = next;
        if (next is not null)
            next.PreviousRunning = previous;
        call.PreviousRunning = null;
        call.NextRunning = null;
    }
}
