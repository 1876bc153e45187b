namespace Cluster.Testing.Linearizability;

/// <summary>One place in the order that a search builds: which call stands there, and what there was before and after
/// it. Mutable while the search looks for the call; do not copy then.</summary>
internal struct LinearizationStep
{
    /// <summary>The call that was tried last.</summary>
    public int Call;

    /// <summary>In which of its ways it went.</summary>
    public int Branch;

    /// <summary>The state before.</summary>
    public long? Before;

    /// <summary>The state after.</summary>
    public long? After;

    /// <summary>Stands for the set of the calls before.</summary>
    public UInt128 CallsBefore;

    /// <summary>Calls that began later cannot stand here, because another one had ended then.</summary>
    public long Horizon;
}
