namespace Cluster.Testing.Simulation;

/// <summary>The two clocks of one simulated machine: a monotonic clock that runs at a rate of its own, and a wall clock
/// that can jump. Both run on while the machine's process is paused or gone. Used by one thread.</summary>
/// <param name="ratePerMillion">How many ticks the clocks move in a million ticks of true time.</param>
/// <param name="offset">What the monotonic clock shows at the true time zero.</param>
public sealed class SimulatedClock(int ratePerMillion, long offset)
{
    /// <summary>The slowest rate: 20 % less than true time.</summary>
    public const int RateMin = 800_000;

    /// <summary>The fastest rate: 20 % more than true time.</summary>
    public const int RateMax = 1_200_000;

    /// <summary>What a wall clock that has never jumped shows at the true time zero.</summary>
    public static readonly DateTimeOffset WallStart = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private TimeSpan _wallOffset;

    /// <summary>How many ticks the clocks move in a million ticks of true time.</summary>
    public int RatePerMillion { get; } = ratePerMillion;

    /// <summary>How often the wall clock has jumped.</summary>
    public int JumpCount { get; private set; }

    /// <summary>Makes a clock with a random rate and offset.</summary>
    /// <param name="random">The source of chance.</param>
    /// <param name="rateSpread">How far the rate may be from a million, in parts of a million.</param>
    public static SimulatedClock Draw(SimulationRandom random, int rateSpread)
    {
        ArgumentNullException.ThrowIfNull(random);
        var rate = SimulationRandom.Million + random.Between(-rateSpread, rateSpread);
        return new SimulatedClock(rate, random.Between(TimeSpan.Zero, TimeSpan.FromDays(1)).Ticks);
    }

    /// <summary>Returns what the monotonic clock shows, in ticks of 100 ns.</summary>
    /// <param name="now">The true time.</param>
    public long At(TimeSpan now) => offset + ElapsedAt(now);

    /// <summary>Returns the first true time at which the monotonic clock shows this value or a later one.</summary>
    /// <param name="local">A value of the monotonic clock.</param>
    public TimeSpan TrueTimeOf(long local)
    {
        var elapsed = local - offset;
        if (elapsed <= 0)
            return TimeSpan.Zero;

        // Deadlines without end would overflow; they are later than the end of any run.
        if (elapsed >= long.MaxValue / SimulationRandom.Million)
            return TimeSpan.MaxValue;
        return new TimeSpan(((elapsed * SimulationRandom.Million) + RatePerMillion - 1) / RatePerMillion);
    }

    /// <summary>Returns what the wall clock shows.</summary>
    /// <param name="now">The true time.</param>
    public DateTimeOffset WallAt(TimeSpan now) => WallStart + new TimeSpan(ElapsedAt(now)) + _wallOffset;

    /// <summary>Moves the wall clock.</summary>
    /// <param name="by">How far; it may be negative.</param>
    public void JumpWall(TimeSpan by)
    {
        _wallOffset += by;
        JumpCount++;
    }

    private long ElapsedAt(TimeSpan now) => checked(now.Ticks * RatePerMillion) / SimulationRandom.Million;
}
