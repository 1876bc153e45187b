namespace Cluster.Nodes.Clocks;

/// <summary>Fires the timers of one clock, one after the other, on one thread, which starts with the first timer. A
/// private lock protects the list of the timers; callbacks run outside it.</summary>
internal sealed class TimerThread : IDisposable
{
    /// <summary>The name of the thread.</summary>
    public const string Name = "cluster timers";

    // A wait of the operating system does not count the time for which the machine is suspended, but the timers do. So
    // after such a time no timer is later than this.
    private static readonly TimeSpan WaitMax = TimeSpan.FromSeconds(1);

    // A periodic timer whose callback takes too long still leaves time for the others.
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(1);

    private readonly Lock _lock = new();
    private readonly PriorityQueue<ThreadTimer, long> _armed = new();
    private readonly AutoResetEvent _isEarlier = new(initialState: false);
    private Thread? _thread;
    private ThreadTimer? _running;
    private bool _isOver;

    /// <summary>Sets when a timer fires.</summary>
    /// <returns>False: the timer or the thread has ended.</returns>
    public bool Arm(ThreadTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        lock (_lock)
        {
            if (timer.IsDisposed || _isOver)
                return false;
            _armed.Remove(timer, out _, out _);
            if (dueTime == Timeout.InfiniteTimeSpan)
                return true;
            timer.Period = period > TimeSpan.Zero ? period : TimeSpan.Zero;
            _armed.Enqueue(timer, BootClock.Read() + dueTime.Ticks);
            if (_armed.Peek() == timer)
                _isEarlier.Set();
            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = Name };
                _thread.UnsafeStart();
            }

            return true;
        }
    }

    /// <summary>Ends a timer.</summary>
    /// <returns>Completed when its callback does not run any more.</returns>
    public Task DisarmAsync(ThreadTimer timer)
    {
        lock (_lock)
        {
            timer.IsDisposed = true;
            _armed.Remove(timer, out _, out _);
            if (_running != timer)
                return Task.CompletedTask;
            timer.Ended ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return timer.Ended.Task;
        }
    }

    public void Dispose()
    {
        Thread? thread;
        lock (_lock)
        {
            if (_isOver)
                return;
            _isOver = true;
            _armed.Clear();
            _isEarlier.Set();
            thread = _thread;
        }

        // A callback may end the clock: its own thread cannot wait for itself.
        if (thread == Thread.CurrentThread)
            return;
        thread?.Join();
        _isEarlier.Dispose();
    }

    private void Run()
    {
        while (FindNext(out var wait, out var due))
        {
            if (due is null)
            {
                _isEarlier.WaitOne(wait);
                continue;
            }

            // An exception is nobody's to handle, so it ends the process.
            due.Fire();
            SetEnded(due)?.SetResult();
        }
    }

    // False: the clock has ended.
    private bool FindNext(out TimeSpan wait, out ThreadTimer? due)
    {
        (wait, due) = (WaitMax, null);
        lock (_lock)
        {
            if (_isOver)
                return false;
            if (!_armed.TryPeek(out var next, out var dueAt))
                return true;
            var now = BootClock.Read();
            if (dueAt > now)
            {
                // A whole number of milliseconds, rounded up, so that the thread does not wake up too early.
                var left = TimeSpan.FromMilliseconds(Math.Ceiling(TimeSpan.FromTicks(dueAt - now).TotalMilliseconds));
                wait = left < WaitMax ? left : WaitMax;
                return true;
            }

            due = _running = _armed.Dequeue();
            if (due.Period > TimeSpan.Zero)
                _armed.Enqueue(due, Math.Max(dueAt + due.Period.Ticks, now + PauseMin.Ticks));
            return true;
        }
    }

    private TaskCompletionSource? SetEnded(ThreadTimer timer)
    {
        lock (_lock)
        {
            _running = null;
            var ended = timer.Ended;
            timer.Ended = null;
            return ended;
        }
    }
}
