using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Where watches find the nodes. Immutable; thread-safe.</summary>
/// <param name="view">This process's view of the table.</param>
/// <param name="peers">Finds other nodes.</param>
/// <param name="local">This node's own store; null in a process that only calls.</param>
/// <param name="hash">The cluster's hash.</param>
/// <param name="time">The clock.</param>
internal sealed class FeedSource(
    ITableView view, IStatePeerDirectory peers, NodeStateStore? local, PartitionHash hash, TimeProvider time)
{
    // TimeProvider.GetElapsedTime asks for the frequency at each call, and a hit of a near cache is one call.
    private readonly double _ticksPerStamp = TimeSpan.TicksPerSecond / (double)time.TimestampFrequency;

    public ITableView View => view;

    public PartitionHash Hash => hash;

    public TimeProvider Time => time;

    /// <summary>The own monotonic clock, in ticks.</summary>
    public long Now => (long)(time.GetTimestamp() * _ticksPerStamp);

    public IStatePeer PeerOf(ClusterMember member, bool isBrief = false) =>
        local is not null && member.Node == view.Self ? local : peers.PeerOf(member, isBrief);
}
