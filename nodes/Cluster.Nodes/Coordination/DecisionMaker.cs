using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Turns what the coordinator has found out into a decision. Remembers since when the member list is as it is;
/// the coordinator's loop alone uses it.</summary>
internal sealed class DecisionMaker(ClusterSettings settings, PartitionCounts counts, TimeProvider time)
{
    /// <summary>How long the member list must have been as it is before partitions are balanced: nodes start in
    /// groups.</summary>
    public static readonly TimeSpan SettleTime = TimeSpan.FromSeconds(1);

    private readonly SettledMembers _settled = new(time, SettleTime);

    public CoordinatorDecision Decide(ClusterTable table, LivenessResult[] dead)
    {
        var scope = _settled.Observe(table) ? MoveScope.Balancing : MoveScope.Draining;
        return new CoordinatorDecision(dead, scope, settings.InitialNodeCount, settings.MaxMovesInFlight)
        {
            Counts = counts.Last,
        };
    }
}
