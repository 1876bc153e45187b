namespace Cluster.Pile.Expiry;

/// <summary>One kind of sweep, of objects or of records: runs when the <see cref="SweepTimer"/> of the pile says so, at
/// the earliest deadline that its owner reports. Created and owned by the schedule of the sweep; the lock of the timer
/// guards its due time.</summary>
internal sealed class TimedSweep
{
    private const ulong NoStep = ulong.MaxValue;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly SweepTimer _timer;
    private readonly DeadlineSteps _steps;
    private readonly Action _sweep;
    private ulong _next = NoStep;

    public TimedSweep(SweepTimer timer, DeadlineSteps steps, Action sweep)
    {
        (_timer, _steps, _sweep) = (timer, steps, sweep);
        timer.Add(this);
    }

    /// <summary>Held by each run, also by a run in the thread of a caller.</summary>
    public Lock Running { get; } = new();

    /// <summary>The time of the timer at which the sweep runs; the largest value when nothing is due.</summary>
    public TimeSpan DueAt { get; set; } = TimeSpan.MaxValue;

    /// <summary>Lets the sweep run at a step, but not within the next second.</summary>
    public void RunAt(uint step, uint now)
    {
        var next = Volatile.Read(ref _next);
        if (next == step || (next != NoStep && !_steps.IsBefore(step, (uint)next, now)))
            return;
        Volatile.Write(ref _next, step);
        var left = new TimeSpan(_steps.Until(step, now) * DeadlineSteps.StepTicks);
        RunIn(left > Pause ? left : Pause);
    }

    public void RunIn(TimeSpan delay) => _timer.Set(this, delay);

    /// <summary>Called by the timer.</summary>
    public void Run()
    {
        // The step is forgotten before the sweep, so that a deadline that the sweep does not see sets the timer.
        Volatile.Write(ref _next, NoStep);
        if (!Running.TryEnter())
        {
            // The running sweep may have passed what this run is for.
            RunIn(Pause);
            return;
        }

        try
        {
            _sweep();
        }
        catch (ObjectDisposedException)
        {
            // The pile was closed during the sweep.
        }
        finally
        {
            Running.Exit();
        }
    }
}
