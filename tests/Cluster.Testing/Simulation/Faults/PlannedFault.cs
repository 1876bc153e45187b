namespace Cluster.Testing.Simulation.Faults;

/// <summary>One fault of a plan. Immutable.</summary>
/// <param name="Kind">What happens.</param>
/// <param name="Start">When it begins, in true time.</param>
/// <param name="Duration">How long it lasts. A rolling restart lasts until it is done.</param>
public sealed record PlannedFault(FaultKind Kind, TimeSpan Start, TimeSpan Duration)
{
    /// <summary>When it ends, in true time.</summary>
    public TimeSpan End => Start + Duration;

    /// <inheritdoc />
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"{Kind} {Start.TotalSeconds:F1}..{End.TotalSeconds:F1}");
}
