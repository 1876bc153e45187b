namespace Cluster.Testing.Linearizability;

/// <summary>What a check came to.</summary>
public enum LinearizabilityOutcome
{
    /// <summary>There is an order that explains every answer.</summary>
    Linearizable,

    /// <summary>There is no such order.</summary>
    NotLinearizable,

    /// <summary>The search was ended by its limit of steps.</summary>
    Undecided,
}
