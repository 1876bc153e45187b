using Cluster.Glue;
using Cluster.Nodes.Deltas;
using Cluster.Nodes.Recovery;
using Cluster.Nodes.Status;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.Nodes.Routing;

/// <summary>The proxies of other nodes. They are kept by incarnation, never by address, so that a node which starts
/// again on the same port is not mistaken for its former process. Bounded: emptied when it holds more incarnations than
/// a cluster has nodes. Safe for concurrent use.</summary>
internal sealed class PeerDirectory(PeerClient client) : IStatePeerDirectory
{
    public const int PeerCountMax = 4_096;

    private static readonly GlueProxyOptions Brief = new() { MaxDeadline = StateRouter.BriefTime };

    private readonly ConcurrentDictionary<NodeId, Peer> _peers = new();

    public IStatePeer PeerOf(ClusterMember member, bool isBrief = false) =>
        isBrief ? Find(member).BriefState : Find(member).State;

    /// <summary>Where the frames of this node's state store go.</summary>
    public IStateFrames FramesOf(ClusterMember member) => Find(member).Frames;

    /// <summary>The node's own account of itself.</summary>
    public INodeStatus StatusOf(ClusterMember member) => Find(member).Status;

    /// <summary>Where the node tells the changes of the table.</summary>
    public ITableDeltas DeltasOf(ClusterMember member) => Find(member).Deltas;

    /// <summary>Where the node tells which table it has.</summary>
    public ITableReports ReportsOf(ClusterMember member) => Find(member).Reports;

    private Peer Find(ClusterMember member) =>
        _peers.TryGetValue(member.Node, out var known) ? known : Add(member);

    // A method of its own, so that the closure is allocated only for a new peer.
    private Peer Add(ClusterMember member)
    {
        if (_peers.Count >= PeerCountMax)
            _peers.Clear();
        var address = member.PeerAddress ?? member.Address;
        return _peers.GetOrAdd(member.Node, _ => new Peer(
            client.Glue.CreateProxy<IStatePeer>(address),
            client.Glue.CreateProxy<IStatePeer>(address, Brief),
            client.Glue.CreateProxy<IStateFrames>(address),
            client.Glue.CreateProxy<INodeStatus>(address),
            client.Glue.CreateProxy<ITableDeltas>(address),
            client.Glue.CreateProxy<ITableReports>(address)));
    }

    /// <summary>The proxies of one incarnation of one node. Immutable.</summary>
    private sealed record Peer(
        IStatePeer State,
        IStatePeer BriefState,
        IStateFrames Frames,
        INodeStatus Status,
        ITableDeltas Deltas,
        ITableReports Reports);
}
