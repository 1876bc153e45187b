using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>When a node sends a beacon to members that it does not watch: the coordinator now and then to all, so that
/// they know it, and each other node to the coordinator when it hears other members than before, and now and then. Used
/// under the node's lock.</summary>
/// <param name="times">The times of the protocol.</param>
internal sealed class FarBeacons(ProtocolTimes times)
{
    private (bool IsCoordinator, NodeId? Coordinator, EquatableArray<NodeSlot> Silent) _told;
    private long _toldAt = long.MinValue / 2;

    /// <summary>Whether such beacons are due now, and if so, counts them as sent.</summary>
    /// <param name="isCoordinator">Whether the node is the coordinator.</param>
    /// <param name="coordinator">The coordinator; null: it is not known, or is the node itself.</param>
    /// <param name="silent">The watched members that are not heard.</param>
    /// <param name="now">The monotonic clock.</param>
    public bool AreDue(bool isCoordinator, NodeId? coordinator, ImmutableArray<NodeSlot> silent, long now)
    {
        // The coordinator itself needs no report of its own silence.
        var news = (isCoordinator, coordinator, isCoordinator ? default : new EquatableArray<NodeSlot>(silent));
        if (news == _told && now - _toldAt < times.Report.Ticks)
            return false;
        (_told, _toldAt) = (news, now);
        return true;
    }
}
