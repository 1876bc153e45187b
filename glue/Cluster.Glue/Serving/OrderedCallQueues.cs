namespace Cluster.Glue.Serving;

/// <summary>Keeps the one-way calls of each proxy in order, and the later calls of the proxy behind them. A call waits
/// until all one-way calls before it in its line have ended or their deadline has passed. Other calls overlap. A line
/// exists while one of its one-way calls is under way. Protected by one lock.</summary>
internal sealed class OrderedCallQueues(TimeProvider time)
{
    private const int SparesMax = 16;

    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, OrderedCallQueue> _lines = [];
    private readonly Stack<OrderedCallQueue> _spare = new();

    public bool IsBusy => _lines.Count > 0;

    /// <summary>True: the arrived call must wait, and is started in its turn. False: the caller starts it. A one-way
    /// call that is started holds up its line until <see cref="Leave"/>.</summary>
    public bool TryQueue(IncomingCall call)
    {
        // Each instance has a line for its calls.
        if (call.Line == 0 || call.HasInstance)
            return false;
        lock (_gate)
        {
            if (_lines.TryGetValue(call.Line, out var line))
            {
                line.Waiting.Enqueue(call);
                return true;
            }

            if (!call.IsOneWay)
                return false;
            line = _spare.TryPop(out var spare) ? spare : new OrderedCallQueue(this);
            line.Number = call.Line;
            line.Current = call;
            _lines.Add(call.Line, line);
            return false;
        }
    }

    /// <summary>Notes the end of a call. If it is a one-way call, the line goes on.</summary>
    public void Leave(IncomingCall call)
    {
        if (call.Line == 0 || !call.IsOneWay)
            return;
        lock (_gate)
        {
            // After its deadline, the line has gone on without this call.
            if (_lines.TryGetValue(call.Line, out var line) && line.Current == call)
                PassNeedsLock(line);
        }
    }

    /// <summary>Lets lines go on whose one-way call has passed its deadline.</summary>
    public void Beat(long now)
    {
        if (!IsBusy)
            return;
        lock (_gate)
        {
            foreach (var line in _lines.Values)
            {
                if (line.Current is null || line.Current.Context.DeadlineTimestamp > now)
                    continue;
                // The call may still hold the thread that runs the line: then another pool item goes on with the line.
                line.IsRunning = false;
                PassNeedsLock(line);
            }
        }
    }

    /// <summary>Starts the calls before the next one-way call of the line, and takes that one-way call. False: this run
    /// of the line is over.</summary>
    /// <param name="line">The line.</param>
    /// <param name="run">The number of the run that asks. Another run may have replaced it.</param>
    /// <param name="isLong">Whether the run has executed enough calls: another pool item goes on.</param>
    /// <param name="next">The one-way call, which the caller executes.</param>
    public bool TryTake(OrderedCallQueue line, int run, bool isLong, [NotNullWhen(true)] out IncomingCall? next)
    {
        next = null;
        lock (_gate)
        {
            if (line.Run != run)
                return false;
            if (isLong && line is { Current: null, Waiting.Count: > 0 })
            {
                ThreadPool.UnsafeQueueUserWorkItem(line, preferLocal: false);
                return false;
            }

            while (line.Current is null && line.Waiting.TryDequeue(out var call))
            {
                // From now on the call waits for a thread, not for other calls.
                call.ArrivedAt = time.GetTimestamp();
                if (call.IsOneWay)
                    line.Current = next = call;
                else
                    ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: false);
            }

            if (next is not null)
                return true;
            line.IsRunning = false;
            if (line.Current is null)
                RemoveNeedsLock(line);
            return false;
        }
    }

    private static void PassNeedsLock(OrderedCallQueue line)
    {
        line.Current = null;
        if (line.IsRunning)
            return;
        line.IsRunning = true;
        line.Run++;
        ThreadPool.UnsafeQueueUserWorkItem(line, preferLocal: true);
    }

    private void RemoveNeedsLock(OrderedCallQueue line)
    {
        _lines.Remove(line.Number);
        if (_spare.Count < SparesMax)
            _spare.Push(line);
    }
}
