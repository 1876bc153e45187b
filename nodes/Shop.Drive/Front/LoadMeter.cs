using Shop.Drive.Load;

namespace Shop.Drive.Front;

/// <summary>Computes figures per second and figures of the measured time from the counts of the load. The load may run
/// before the measurement begins. Only the sampler's loop calls <see cref="Tick"/>; any thread may set and read the
/// phase.</summary>
internal sealed class LoadMeter(LoadGenerator load, TimeProvider time)
{
    private volatile string _phase = "starting";
    private LoadFigures _baseline = LoadFigures.Zero;
    private LoadFigures _last = LoadFigures.Zero;
    private long _began;
    private long _lastTick;

    /// <summary>The current phase of the run, in words.</summary>
    public string Phase
    {
        get => _phase;
        set => _phase = value;
    }

    /// <summary>The duration of the measurement up to the last tick.</summary>
    public TimeSpan Elapsed { get; private set; }

    /// <summary>The counts of the measured time.</summary>
    public LoadFigures Total { get; private set; } = LoadFigures.Zero;

    /// <summary>The counts between the last two ticks.</summary>
    public LoadFigures LastSecond { get; private set; } = LoadFigures.Zero;

    /// <summary>Calls answered per second between the last two ticks.</summary>
    public double CallsPerSecond { get; private set; }

    public int SessionCount { get; private set; }

    /// <summary>The number of open sessions that were lost until the last tick.</summary>
    public int SessionsLost { get; private set; }

    /// <summary>Starts the measurement: earlier counts no longer matter.</summary>
    public void Begin()
    {
        _baseline = _last = load.Figures;
        _began = _lastTick = time.GetTimestamp();
        Total = LastSecond = LoadFigures.Zero;
        Elapsed = TimeSpan.Zero;
    }

    /// <summary>Reads the current counts of the load and updates all figures.</summary>
    public void Tick()
    {
        var now = time.GetTimestamp();
        var figures = load.Figures;
        LastSecond = figures.Since(_last);
        Total = figures.Since(_baseline);
        CallsPerSecond = LastSecond.Calls / Math.Max(1e-3, time.GetElapsedTime(_lastTick, now).TotalSeconds);
        Elapsed = time.GetElapsedTime(_began, now);
        SessionCount = load.SessionCount;
        SessionsLost = load.SessionsLost;
        _last = figures;
        _lastTick = now;
    }
}
