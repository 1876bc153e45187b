using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Protocol.Peers;

/// <summary>What a node knows about another member. Times are those of the monotonic clock.</summary>
/// <param name="member">The member.</param>
/// <param name="now">When it was learned.</param>
internal sealed class Peer(ClusterMember member, long now)
{
    public ClusterMember Member { get; set; } = member;

    /// <summary>When it was heard last; at first, when it was learned.</summary>
    public long HeardAt { get; set; } = now;

    /// <summary>When the newest beacon was sent that it has acknowledged; null: none was.</summary>
    public long? AckedSentAt { get; set; }

    /// <summary>For the partitions that its last acknowledgement left out: the sending time that still
    /// counts.</summary>
    public Dictionary<PartitionId, long?> Excluded { get; } = [];

    /// <summary>Whether this node exchanges beacons with it all the time.</summary>
    public bool IsWatched { get; set; }

    /// <summary>When this node began to watch it.</summary>
    public long WatchedAt { get; set; }

    /// <summary>When this node, as the coordinator, found it silent last. It stays silent until it is heard after that.
    /// </summary>
    public long SilentAt { get; set; } = long.MinValue;

    /// <summary>Whether this node has not heard it since it began to watch it.</summary>
    public bool IsNew => HeardAt <= WatchedAt;

    /// <summary>The members that it watches and does not hear.</summary>
    public ImmutableArray<NodeSlot> Silent { get; set; } = [];

    /// <summary>Whether it is proven that its process has ended.</summary>
    public bool IsDead { get; set; }

    /// <summary>Lets the time after which it is missed begin again. It was not heard, so a silent member stays silent.
    /// </summary>
    public void WaitAgain(long now)
    {
        var isSilent = SilentAt >= HeardAt;
        HeardAt = Math.Max(HeardAt, now);
        if (isSilent)
            SilentAt = HeardAt;
    }
}
