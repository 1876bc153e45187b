using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Appending;

/// <summary>The frames from this shard to one member: which partitions have something to send, and which frames are not
/// answered. Used under the shard's lock.</summary>
/// <param name="slot">The member.</param>
internal sealed class PeerLink(NodeSlot slot)
{
    /// <summary>How many frames may be unanswered. The second one fills the link while the first one is
    /// answered.</summary>
    public const int FramesMax = 2;

    public NodeSlot Slot { get; } = slot;

    /// <summary>The number of the newest frame.</summary>
    public long Number { get; set; }

    /// <summary>The partitions with entries to send.</summary>
    public Queue<Replica> Queue { get; } = new();

    /// <summary>The partitions whose commit is news, or that are tried again later.</summary>
    public HashSet<Replica> Later { get; } = [];

    /// <summary>When the partitions of <see cref="Later"/> join the queue.</summary>
    public long? LaterAt { get; set; }

    /// <summary>The frames without an answer, and when they were sent.</summary>
    public List<(long Number, long SentAt)> InFlight { get; } = [];
}
