namespace Cluster.Testing.Linearizability;

/// <summary>One place in the order that a search builds: the call at this place, and the states before and after it.
/// The search changes the step while it looks for the call; do not copy the step during that time.</summary>
/// <typeparam name="TState">The state of the object.</typeparam>
internal struct LinearizationStep<TState>
{
    /// <summary>The call that was tried last.</summary>
    public int Call;

    /// <summary>The index of the possible effect that the call had; see <see cref="IHistoryModel{TState,TOperation,TResult}.Branches"/>.</summary>
    public int Branch;

    public TState Before;

    public TState After;

    /// <summary>A hash of the set of calls before this place.</summary>
    public UInt128 CallsBefore;

    /// <summary>How many calls with unknown outcomes come in a row directly before this place.</summary>
    public int UnknownsBefore;

    /// <summary>The first end of a remaining call. A call that began later cannot take this place.</summary>
    public long Horizon;
}
