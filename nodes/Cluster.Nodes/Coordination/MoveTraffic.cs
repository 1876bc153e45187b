using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Counts the partitions on their way to and from each member, against a limit. Used by one run of the
/// planner.</summary>
internal sealed class MoveTraffic
{
    private readonly Dictionary<NodeSlot, int> _outbound = [];
    private readonly Dictionary<NodeSlot, int> _inbound = [];
    private readonly int _movesMax;

    public MoveTraffic(ClusterTable table, int movesMax)
    {
        _movesMax = movesMax;
        foreach (var entry in table.Partitions)
        {
            if (entry is { Primary: { } source, Joining: { } target })
                Add(source, target);
        }
    }

    public bool TryAdd(NodeSlot source, NodeSlot target, bool isLeaving)
    {
        if (_inbound.GetValueOrDefault(target) >= _movesMax)
            return false;
        if (!isLeaving && _outbound.GetValueOrDefault(source) >= _movesMax)
            return false;
        Add(source, target);
        return true;
    }

    private void Add(NodeSlot source, NodeSlot target)
    {
        _outbound[source] = _outbound.GetValueOrDefault(source) + 1;
        _inbound[target] = _inbound.GetValueOrDefault(target) + 1;
    }
}
