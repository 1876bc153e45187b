using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Peers;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>What the coordinator knows beside the table when it decides. Immutable for one decision.</summary>
/// <param name="Self">The coordinator's own slot; null: it is not a member yet.</param>
/// <param name="Peers">The other members.</param>
/// <param name="SetAside">The members that failed lately.</param>
/// <param name="Now">The monotonic clock.</param>
internal sealed record CoordinatorView(NodeSlot? Self, PeerBook Peers, SetAside SetAside, long Now)
{
    /// <summary>Whether the members have not changed for long enough that partitions may be moved and
    /// repaired.</summary>
    public bool IsSettled { get; init; }

    /// <summary>The snapshots from which lost partitions can be restored.</summary>
    public SnapshotOffers Offers { get; init; } = new();

    /// <summary>How long a lost partition stays closed for nodes that may have a snapshot of it.</summary>
    public long RestoreTicks { get; init; }

    /// <summary>Whether a test has built in that the age of snapshots is not looked at.</summary>
    public bool TakesAnySnapshot { get; init; }

    /// <summary>How many members must be active before the first assignment.</summary>
    public int InitialNodeCount { get; init; }

    /// <summary>Whether a member can take a role now: it is active, and it is heard.</summary>
    public bool IsAvailable(ClusterMember member) =>
        member.State == MemberState.Active && (member.Slot == Self || Peers.IsHeard(member.Slot, Now));
}
