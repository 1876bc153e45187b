namespace Cluster.Glue.Serving;

/// <summary>The calls of one peer that are queued or running here, found by id when a Cancel arrives. Buckets of linked
/// calls, so that no call needs an allocation. Protected by one lock.</summary>
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

    /// <summary>Whether deadlines of some calls must still be watched. Read without the lock.</summary>
    public bool HasDeadlines => Count > 0 && Volatile.Read(ref _earliestDeadline) != long.MaxValue;

    public int OneWayCount => Volatile.Read(ref _oneWayCount);

    /// <summary>Whether reading must stop because too many one-way calls run. Answered calls are limited by their
    /// caller, who waits for them, and must not stop reading: their cancellations arrive behind them.</summary>
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

    /// <summary>The context of a call, to cancel it; null: the call has ended.</summary>
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

    public void CancelAll() => CancelUntil(long.MaxValue);

    /// <summary>Cancels all calls except one-way calls.</summary>
    public void CancelAwaited() => CancelUntil(long.MaxValue, withOneWays: false);

    /// <summary>Cancels the calls whose deadline is not after now. Does not search before the earliest
    /// deadline.</summary>
    public void CancelExpired(long now)
    {
        if (Volatile.Read(ref _earliestDeadline) <= now)
            CancelUntil(now);
    }

    // Cancel outside of the lock: callbacks of a token run elsewhere, but may call this table at once.
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

    /// <summary>Completes when no one-way call runs.</summary>
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

    // Linked in both directions, because all one-way calls have id 0 and lie in one bucket.
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
