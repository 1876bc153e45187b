using Cluster.Nodes.Liveness;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>The decision of the coordinator as one pure function: from a table, the proven deaths and the settings to
/// the contents of the next table. Immutable.</summary>
/// <param name="Dead">The nodes that are proven dead.</param>
/// <param name="Scope">Which partitions may move.</param>
/// <param name="InitialNodeCount">How many members must be active before the very first assignment.</param>
/// <param name="MaxMovesInFlight">How many partitions may be on their way to, or from, one member.</param>
internal sealed record CoordinatorDecision(
    IReadOnlyCollection<LivenessResult> Dead, MoveScope Scope, int InitialNodeCount, int MaxMovesInFlight)
{
    /// <summary>How many entries each partition held when it was counted last.</summary>
    public IReadOnlyDictionary<PartitionId, long> Counts { get; init; } = new Dictionary<PartitionId, long>();

    /// <summary>The successor's contents, or the same table when nothing is to be done. Steps:</summary>
    /// <list type="number">
    /// <item>Members proven dead are gone.</item>
    /// <item>Partitions of members that are gone pass to who has a copy, or else begin again empty; what was lost by
    /// that is told in the table.</item>
    /// <item>Partitions that nobody has owned yet get an owner.</item>
    /// <item>Partitions of leaving members, and those that would be more evenly placed elsewhere, get a
    /// target.</item>
    /// <item>Members that are gone and named nowhere are forgotten.</item>
    /// </list>
    /// <param name="standing">The standing table.</param>
    public ClusterTable Apply(ClusterTable standing)
    {
        var table = MemberChanges.MarkDead(standing, Dead);
        table = LossRecords.Record(table, PartitionChanges.Reassign(table), Counts);
        table = PartitionChanges.AssignFirst(table, InitialNodeCount);
        table = MovePlanner.Plan(standing, table, Scope, MaxMovesInFlight);
        return MemberChanges.Prune(standing, table);
    }
}
