namespace Cluster.Benchmarks.Harness;

/// <summary>The rounds of one absolute figure, each with the machine's scale taken right beside it, so that a round is
/// judged by the speed that the machine had in that round. Used by one thread.</summary>
public sealed class ScaledRounds
{
    private readonly List<(double Value, double Scale)> _rounds = [];

    /// <summary>The median round as it was measured.</summary>
    public double Value => Race.Median([.. _rounds.Select(round => round.Value)]);

    /// <summary>The scale at which <see cref="Value"/> counts as much as the median of the rounds, each divided by its
    /// own scale.</summary>
    public double Scale => Value / Race.Median([.. _rounds.Select(round => round.Value / round.Scale)]);

    /// <summary>Runs and times one round between two measurements of the reference loop.</summary>
    /// <param name="measure">Gives the value of the round.</param>
    public void Add(Func<double> measure)
    {
        ArgumentNullException.ThrowIfNull(measure);
        var before = ReferenceLoop.MeasureRoundScale();
        var value = measure();

        // The faster of the two: where the loop itself was interrupted, it would make bounds generous.
        Add(value, Math.Min(before, ReferenceLoop.MeasureRoundScale()));
    }

    /// <summary>Adds a round.</summary>
    /// <param name="value">What was measured; more than zero.</param>
    /// <param name="scale">The machine's scale beside it.</param>
    public void Add(double value, double scale) => _rounds.Add((value, scale));
}
