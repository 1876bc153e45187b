namespace Cluster.Testing.Simulation.Faults;

/// <summary>Faults of the cluster store. Used by the injector.</summary>
/// <param name="cluster">The run.</param>
internal sealed class StoreFaults(SimulatedCluster cluster)
{
    public void Begin(ActiveFault fault)
    {
        var conditions = cluster.Store.Conditions;
        switch (fault.Kind)
        {
            case FaultKind.StoreOutage:
                fault.Do(() => conditions.OutageCount++, () => conditions.OutageCount--);
                break;
            case FaultKind.StaleReads:
                fault.Do(() => conditions.StaleCount++, () => conditions.StaleCount--);
                break;
            case FaultKind.UnknownOutcomes:
                fault.Do(() => conditions.UnknownCount++, () => conditions.UnknownCount--);
                break;
            case FaultKind.SilentStore:
                fault.Do(() => conditions.SilenceCount++, () => conditions.SilenceCount--);
                break;
            case FaultKind.ForeignStore:
                fault.Do(() => conditions.ForeignCount++, () => conditions.ForeignCount--);
                break;
        }
    }
}
