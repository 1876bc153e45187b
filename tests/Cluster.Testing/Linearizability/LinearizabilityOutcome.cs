namespace Cluster.Testing.Linearizability;

/// <summary>The result of a check.</summary>
public enum LinearizabilityOutcome
{
    /// <summary>An order of the calls explains every answer.</summary>
    Linearizable,

    /// <summary>No order of the calls explains every answer.</summary>
    NotLinearizable,

    /// <summary>The search reached its limit of steps.</summary>
    Undecided,
}
