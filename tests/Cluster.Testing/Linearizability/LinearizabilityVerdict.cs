namespace Cluster.Testing.Linearizability;

/// <summary>What the checker found. Immutable.</summary>
/// <param name="Outcome">Whether there is an order that explains every answer.</param>
/// <param name="Explanation">Where there is none: the key, how far it was possible, and what does not fit there.</param>
public sealed record LinearizabilityVerdict(LinearizabilityOutcome Outcome, string Explanation)
{
    internal static readonly LinearizabilityVerdict Good = new(LinearizabilityOutcome.Linearizable, "");

    /// <summary>Whether there is an order that explains every answer.</summary>
    public bool IsLinearizable => Outcome == LinearizabilityOutcome.Linearizable;
}
