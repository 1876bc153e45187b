namespace Cluster.Glue.Serving;

/// <summary>Keeps the one-way calls of each proxy in order, and behind them what the proxy called afterwards: a call
/// waits until all one-way calls before it in its line have ended, or their time is over. Others overlap. A line is
/// known while one of its one-way calls is under way. Protected by one lock.</summary>
internal sealed class OrderedCallQueues(TimeProvider time)
{
    private const int SparesMax = 16;

    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, OrderedCallQueue> _lines = [];
    private readonly Stack<OrderedCallQueue> _spare = new();

    public bool IsBusy => _lines.Count > 0;

    /// <summary>Whether a call that has arrived must wait; then it is started in its turn. A one-way call that need not
    /// wait is what others wait for, until <see cref="Leave"/>.</summary>
    public bool TryQueue(IncomingCall call)
    {
        // Instances have lines of their own.
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

    /// <summary>A call has ended; if it is a one-way call, what waited for it starts.</summary>
    public void Leave(IncomingCall call)
    {
        if (call.Line == 0 || !call.IsOneWay)
            return;
        lock (_gate)
        {
            // One whose time was over is not waited for any more.
            if (_lines.TryGetValue(call.Line, out var line) && line.Current == call)
                PassNeedsLock(line);
        }
    }

    /// <summary>Goes on without the one-way calls whose time is over.</summary>
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
                // If it still holds the thread that runs the line, another one goes on with it.
                line.IsRunning = false;
                PassNeedsLock(line);
            }
        }
    }

    /// <summary>Starts what comes before the next one-way call of the line, and takes that; false: this run of the line
    /// is over.</summary>
    /// <param name="line">The line.</param>
    /// <param name="run">Which of its runs asks; another one may have taken its place.</param>
    /// <param name="isLong">It goes on with another pool item.</param>
    /// <param name="next">To be executed by the caller.</param>
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
                // From now on it waits for a thread, and not for other calls.
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
