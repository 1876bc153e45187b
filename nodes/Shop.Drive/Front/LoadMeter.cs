using Shop.Drive.Load;

namespace Shop.Drive.Front;

/// <summary>Turns the running counts of the load into figures per second and over the measured time. The load may run a
/// while before the measurement begins. Only the sampler's loop ticks it; the phase may be set and read by
/// anybody.</summary>
internal sealed class LoadMeter(LoadGenerator load, TimeProvider time)
{
    private volatile string _phase = "starting";
    private LoadFigures _baseline = LoadFigures.Zero;
    private LoadFigures _last = LoadFigures.Zero;
    private long _began;
    private long _lastTick;

    /// <summary>What the run is doing, in words.</summary>
    public string Phase
    {
        get => _phase;
        set => _phase = value;
    }

    /// <summary>How long has been measured.</summary>
    public TimeSpan Elapsed { get; private set; }

    /// <summary>What was counted in the measured time.</summary>
    public LoadFigures Total { get; private set; } = LoadFigures.Zero;

    /// <summary>What was counted between the last two ticks.</summary>
    public LoadFigures LastSecond { get; private set; } = LoadFigures.Zero;

    /// <summary>Calls answered per second between the last two ticks.</summary>
    public double CallsPerSecond { get; private set; }

    /// <summary>How many sessions are open now.</summary>
    public int SessionCount { get; private set; }

    /// <summary>How many open sessions were lost so far.</summary>
    public int SessionsLost { get; private set; }

    /// <summary>Forgets what was counted before: the measured time begins now.</summary>
    public void Begin()
    {
        _baseline = _last = load.Figures;
        _began = _lastTick = time.GetTimestamp();
        Total = LastSecond = LoadFigures.Zero;
        Elapsed = TimeSpan.Zero;
    }

    /// <summary>Takes the counts of now.</summary>
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
