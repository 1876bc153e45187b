namespace Cluster.Testing.Linearizability;

/// <summary>The result of a check with its explanation. Immutable.</summary>
/// <param name="Outcome">Whether an order of the calls explains every answer.</param>
/// <param name="Explanation">If there is none: the key, the number of calls that could be ordered, and the calls that
/// cannot come next.</param>
/// <param name="Steps">The steps that the search took.</param>
public sealed record LinearizabilityVerdict(LinearizabilityOutcome Outcome, string Explanation, long Steps)
{
    /// <summary>Whether an order of the calls explains every answer.</summary>
    public bool IsLinearizable => Outcome == LinearizabilityOutcome.Linearizable;
}
