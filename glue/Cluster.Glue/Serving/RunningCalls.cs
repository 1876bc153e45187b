namespace Cluster.Glue.Serving;

/// <summary>
/// The calls of one peer that are queued or running here, found by id when a Cancel arrives. Buckets of chained
/// calls, so that nothing is allocated per call. Protected by one lock.
/// </summary>
internal sealed class RunningCalls(int countMax)
{
    private const int BucketCount = 1024;

    private readonly Lock _gate = new();
    private readonly IncomingCall?[] _buckets = new IncomingCall?[BucketCount];
    private int _count;
    private int _oneWayCount;
    private long _earliestDeadline = long.MaxValue;
    private TaskCompletionSource? _room;
    private TaskCompletionSource? _empty;
    private TaskCompletionSource? _noOneWays;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Whether the deadlines of some are still to be watched, as far as is known without a look.</summary>
    public bool HasDeadlines => Count > 0 && Volatile.Read(ref _earliestDeadline) != long.MaxValue;

    public bool IsFull => Count >= countMax;

    public void Add(IncomingCall call)
    {
        lock (_gate)
        {
            ref IncomingCall? head = ref _buckets[call.CallId % BucketCount];
            call.NextRunning = head;
            if (head is not null)
                head.PreviousRunning = call;
            head = call;
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
            if (_count < countMax)
                (room, _room) = (_room, null);
            if (_count == 0)
                (empty, _empty) = (_empty, null);
            if (call.IsOneWay && --_oneWayCount == 0)
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
            for (IncomingCall? call = _buckets[callId % BucketCount]; call is not null; call = call.NextRunning)
            {
                if (call.CallId == callId)
                    return call.Context;
            }

            return null;
        }
    }

    /// <summary>The contexts of all calls.</summary>
    public IReadOnlyList<GlueCall> Collect() => CollectUntil(long.MaxValue);

    /// <summary>The contexts of the calls that are answered.</summary>
    public IReadOnlyList<GlueCall> CollectAwaited() => CollectUntil(long.MaxValue, withOneWays: false);

    /// <summary>
    /// The contexts of the calls whose deadline is not after now. Looks at none before the earliest one.
    /// </summary>
    public IReadOnlyList<GlueCall> CollectExpired(long now)
        => Volatile.Read(ref _earliestDeadline) > now ? [] : CollectUntil(now);

    private List<GlueCall> CollectUntil(long deadlineMax, bool withOneWays = true)
    {
        var found = new List<GlueCall>();
        lock (_gate)
        {
            _earliestDeadline = long.MaxValue;
            for (int i = 0; i < BucketCount && _count > 0; i++)
            {
                for (IncomingCall? call = _buckets[i]; call is not null; call = call.NextRunning)
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
            if (_count < countMax)
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

    // Linked both ways: one-way calls have no id of their own and all lie in one bucket.
    private void UnlinkNeedsLock(IncomingCall call)
    {
        (IncomingCall? previous, IncomingCall? next) = (call.PreviousRunning, call.NextRunning);
        if (previous is null)
            _buckets[call.CallId % BucketCount] = next;
        else
            previous.NextRunning = next;
        if (next is not null)
            next.PreviousRunning = previous;
        call.PreviousRunning = null;
        call.NextRunning = null;
    }
}
