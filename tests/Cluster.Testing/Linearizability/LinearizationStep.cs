namespace Cluster.Testing.Linearizability;

/// <summary>One place in the order that a search builds: the call at this place, and the states before and after it.
/// The search changes the step while it looks for the call; do not copy the step during that time.</summary>
internal struct LinearizationStep
{
    /// <summary>The call that was tried last.</summary>
    public int Call;

    /// <summary>The index of the possible effect that the call had; see <see cref="RegisterModel.Branches"/>.</summary>
    public int Branch;

    public long? Before;

    public long? After;

    /// <summary>A hash of the set of calls before this place.</summary>
    public UInt128 CallsBefore;

    /// <summary>The first end of a remaining call. A call that began later cannot take this place.</summary>
    public long Horizon;
}
