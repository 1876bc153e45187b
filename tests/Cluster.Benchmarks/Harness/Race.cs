namespace Cluster.Benchmarks.Harness;

/// <summary>Runs contenders in turn, many short rounds each, so that drift of the machine hits all of them alike, and
/// answers medians. Warm-up lasts long enough for the runtime to have compiled the hot code a second time. Used by one
/// thread.</summary>
public sealed class Race
{
    private const int RoundCount = 15;
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(250);

    private readonly Dictionary<string, double[]> _nanosecondsByRound = [];
    private readonly double[] _scaleByRound = new double[RoundCount];
    private readonly TimeProvider _clock;

    private Race(TimeProvider clock) => _clock = clock;

    /// <summary>Runs a race within about the given time, warm-up included, at least one operation per round.</summary>
    /// <param name="budget">How long all contenders together may take.</param>
    /// <param name="contenders">Who runs.</param>
    public static Race Run(TimeSpan budget, params ReadOnlySpan<Contender> contenders) =>
        Run(TimeProvider.System, budget, contenders);

    /// <summary>The same by another clock, which contenders may advance.</summary>
    /// <param name="clock">Times everything but the machine's scale.</param>
    /// <param name="budget">How long all contenders together may take.</param>
    /// <param name="contenders">Who runs.</param>
    public static Race Run(TimeProvider clock, TimeSpan budget, params ReadOnlySpan<Contender> contenders)
    {
        var race = new Race(clock);
        var share = budget / contenders.Length;
        var warmUp = share / 2 < WarmUp ? share / 2 : WarmUp;
        var perRound = (share - warmUp) / RoundCount;
        var counts = new int[contenders.Length];
        for (var index = 0; index < contenders.Length; index++)
        {
            race._nanosecondsByRound.Add(contenders[index].Name, new double[RoundCount]);
            counts[index] = race.Calibrate(contenders[index], warmUp, perRound);
        }

        var scale = ReferenceLoop.MeasureRoundScale();
        for (var round = 0; round < RoundCount; round++)
        {
            for (var turn = 0; turn < contenders.Length; turn++)
            {
                // The order rotates: nobody always runs behind the one that leaves the caches cold.
                var index = (turn + round) % contenders.Length;
                var contender = contenders[index];
                var nanoseconds = race.Measure(contender, counts[index]);
                race._nanosecondsByRound[contender.Name][round] = nanoseconds / counts[index];
            }

            var scaleAfter = ReferenceLoop.MeasureRoundScale();

            // The faster of the two: where the loop itself was interrupted, it would make bounds generous.
            race._scaleByRound[round] = Math.Min(scale, scaleAfter);
            scale = scaleAfter;
        }

        return race;
    }

    /// <summary>Median nanoseconds per operation.</summary>
    /// <param name="name">Which contender.</param>
    public double Nanoseconds(string name) => Median(_nanosecondsByRound[name]);

    /// <summary>The time per operation in every round, beside the machine's scale in that round.</summary>
    /// <param name="name">Which contender.</param>
    /// <param name="nanosecondsPerUnit">The unit of the figure.</param>
    public ScaledRounds Rounds(string name, double nanosecondsPerUnit)
    {
        ScaledRounds rounds = new();
        for (var round = 0; round < RoundCount; round++)
            rounds.Add(_nanosecondsByRound[name][round] / nanosecondsPerUnit, _scaleByRound[round]);

        return rounds;
    }

    /// <summary>Operations per second, from the median time.</summary>
    /// <param name="name">Which contender.</param>
    public double Rate(string name) => 1e9 / Nanoseconds(name);

    /// <summary>Median over the rounds of one contender's time over another's in the same round.</summary>
    /// <param name="name">The numerator.</param>
    /// <param name="rival">The denominator.</param>
    public double TimeRatio(string name, string rival) => Median(
        [.. _nanosecondsByRound[name].Zip(_nanosecondsByRound[rival], (ours, theirs) => ours / theirs)]);

    /// <summary>Median over the rounds of one contender's rate over another's in the same round.</summary>
    /// <param name="name">The numerator.</param>
    /// <param name="rival">The denominator.</param>
    public double RateRatio(string name, string rival) => TimeRatio(rival, name);

    /// <summary>The rate of one contender's fastest round over that of another's: for what a second thread adds,
    /// because a round in which the second processor was elsewhere says nothing.</summary>
    /// <param name="name">The numerator.</param>
    /// <param name="rival">The denominator.</param>
    public double FastestRateRatio(string name, string rival) =>
        _nanosecondsByRound[rival].Min() / _nanosecondsByRound[name].Min();

    /// <summary>Operations per second in a contender's fastest round: for what cannot take turns with its rival,
    /// because a round in which the processor was elsewhere says nothing.</summary>
    /// <param name="name">Which contender.</param>
    public double FastestRate(string name) => 1e9 / _nanosecondsByRound[name].Min();

    internal static double Median(double[] values)
    {
        var sorted = values.Order().ToArray();
        var middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    // One interrupted measurement is no reason for rounds of few operations: two in a row must be long enough.
    private int Calibrate(Contender contender, TimeSpan warmUp, TimeSpan perRound)
    {
        var started = _clock.GetTimestamp();
        var (count, wasLongEnough) = (1, false);
        while (true)
        {
            var nanoseconds = Measure(contender, count);
            var isLongEnough = nanoseconds >= perRound.TotalNanoseconds / 2;
            if (isLongEnough && wasLongEnough && _clock.GetElapsedTime(started) >= warmUp)
                return (int)Math.Clamp(count * perRound.TotalNanoseconds / nanoseconds, 1, int.MaxValue);

            wasLongEnough = isLongEnough;
            if (!isLongEnough && count <= int.MaxValue / 2)
                count *= 2;
        }
    }

    private double Measure(Contender contender, int count)
    {
        var started = _clock.GetTimestamp();
        contender.Body(count);
        return Math.Max(1, _clock.GetElapsedTime(started).TotalNanoseconds);
    }
}
