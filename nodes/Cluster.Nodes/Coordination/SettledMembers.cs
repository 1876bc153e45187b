using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Notices when the set of active members has not changed for a while, so that several nodes which start
/// together cost one rebalancing. Only the coordinator's loop uses it.</summary>
internal sealed class SettledMembers(TimeProvider time, TimeSpan settleTime)
{
    private HashSet<NodeId> _active = [];
    private long _since = time.GetTimestamp();

    /// <summary>Looks at a table. Returns whether its active members have been the same for the settle time.</summary>
    public bool Observe(ClusterTable table)
    {
        var active = table.Members
            .Where(member => member.State is MemberState.Active or MemberState.Joining)
            .Select(member => member.Node)
            .ToHashSet();
        if (!active.SetEquals(_active))
        {
            _active = active;
            _since = time.GetTimestamp();
        }

        return time.GetElapsedTime(_since) >= settleTime;
    }
}
