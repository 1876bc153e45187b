namespace Cluster.Testing.Simulation;

/// <summary>One broken promise that a simulated run has found. Immutable.</summary>
/// <param name="Invariant">The short name of the promise, such as I4.</param>
/// <param name="At">The true time.</param>
/// <param name="Text">What was expected and what was found.</param>
public sealed record SimulationViolation(string Invariant, TimeSpan At, string Text)
{
    /// <inheritdoc />
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Invariant} at {At.TotalSeconds:F6} s: {Text}");
}
