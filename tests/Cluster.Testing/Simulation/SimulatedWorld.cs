namespace Cluster.Testing.Simulation;

/// <summary>The time and the events of one simulated run: one thread, one queue, one seed. Every part of the run
/// schedules its events here, and nothing else moves the time, so the seed alone decides the run. Used by one
/// thread.</summary>
/// <param name="seed">Decides everything that happens by chance.</param>
public sealed class SimulatedWorld(ulong seed)
{
    /// <summary>The most violations that a run keeps.</summary>
    public const int ViolationCountMax = 20;

    private readonly EventQueue _queue = new();
    private readonly List<SimulationViolation> _violations = [];
    private ulong _hash = SimulationRandom.Mix(seed);
    private long _now;

    /// <summary>Decides everything that happens by chance.</summary>
    public ulong Seed { get; } = seed;

    /// <summary>The source of chance. Each part of the run forks its own generator from it when the part is
    /// made.</summary>
    public SimulationRandom Random { get; } = new(seed);

    /// <summary>The readable lines of the run, when a test has switched them on.</summary>
    public SimulationTrace Trace { get; } = new();

    /// <summary>The true time since the run began. No node can see it.</summary>
    public TimeSpan Now => new(_now);

    /// <summary>How many events have been handled.</summary>
    public long EventCount { get; private set; }

    /// <summary>How many events are waiting.</summary>
    public int PendingCount => _queue.Count;

    /// <summary>A hash over the events so far with their times, and over what was noted. Two runs of a seed have the
    /// same hash.</summary>
    public ulong Hash => _hash;

    /// <summary>The promises that the run has broken, the first one first.</summary>
    public IReadOnlyList<SimulationViolation> Violations => _violations;

    /// <summary>Schedules an event. An event whose time has passed comes next.</summary>
    /// <param name="at">The true time.</param>
    /// <param name="occurrence">The event.</param>
    public void Schedule(TimeSpan at, in SimulatedEvent occurrence) =>
        _queue.Add(Math.Max(at.Ticks, _now), occurrence);

    /// <summary>Moves the time to the next event and handles it.</summary>
    /// <param name="until">An event after this time is left in the queue.</param>
    /// <returns>False if there is no event up to this time; the time is then moved there.</returns>
    public bool Step(TimeSpan until)
    {
        if (_queue.Count == 0 || _queue.NextTime > until.Ticks)
        {
            _now = Math.Max(_now, until.Ticks);
            return false;
        }

        _now = _queue.NextTime;
        var occurrence = _queue.Take();
        EventCount++;
        Note(_now, ((long)occurrence.Kind << 32) | (uint)occurrence.Subject, occurrence.Argument);
        occurrence.Target.Handle(occurrence);
        return true;
    }

    /// <summary>Adds numbers to the hash of the run.</summary>
    /// <param name="first">Any number.</param>
    /// <param name="second">Any number.</param>
    /// <param name="third">Any number.</param>
    public void Note(long first, long second = 0, long third = 0)
    {
        var hash = (_hash ^ (ulong)first) * 0x9FB2_1C65_1E98_DF25;
        hash = (BitOperations.RotateLeft(hash, 29) ^ (ulong)second) * 0xD6E8_FEB8_6659_FD93;
        _hash = (BitOperations.RotateLeft(hash, 31) ^ (ulong)third) * 0xA076_1D64_78BD_642F;
    }

    /// <summary>Records a broken promise.</summary>
    /// <param name="invariant">The short name of the promise.</param>
    /// <param name="text">What was expected and what was found.</param>
    public void Violate(string invariant, string text)
    {
        if (_violations.Count >= ViolationCountMax)
            return;
        var violation = new SimulationViolation(invariant, Now, text);
        _violations.Add(violation);
        Trace.Write(Now, "VIOLATED", violation.ToString());
    }
}
