using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Makes the coordinator's decision from the proven deaths and the member list. Remembers since when the
/// member list has been unchanged; only the coordinator's loop uses it.</summary>
internal sealed class DecisionMaker(ClusterSettings settings, PartitionCounts counts, TimeProvider time)
{
    /// <summary>How long the member list must have been unchanged before partitions are balanced: nodes start in
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
