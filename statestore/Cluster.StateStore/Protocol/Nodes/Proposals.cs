using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Peers;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>The wishes of a node's shards on their way into the table. All of them are for one version; the first table
/// after it ends them. Used under the node's lock.</summary>
/// <param name="shards">The shards of the node.</param>
/// <param name="options">The node.</param>
internal sealed class Proposals(IReadOnlyList<INodeShard> shards, NodeOptions options)
{
    // A compare-and-swap takes much less time than the wait for a coordinator.
    private const int JitterShare = 4;

    // Nodes that propose at the same moment conflict, and each conflict costs a read of the table. So the nodes of a
    // large cluster begin at more different moments.
    private const int MomentsMin = 10;
    private const int MomentsMax = 100;
    private const int NodesPerMoment = 4;

    private readonly List<Wish> _wishes = [];
    private readonly List<Wish> _new = [];
    private long _version;
    private long _begunAt;
    private long _urgentSince;
    private long _sentAt;

    /// <summary>Whether outcomes are awaited.</summary>
    public bool IsBusy => _wishes.Count > 0;

    /// <summary>Ends the wishes for older tables.</summary>
    public void Adopted(long version)
    {
        if (version > _version)
            _wishes.Clear();
    }

    /// <summary>Collects new wishes, and returns what has to be sent to the coordinator now.</summary>
    /// <returns>Null if nothing is to be sent.</returns>
    public Proposal? Collect(ClusterTable table, MovePermit moves, Moment now)
    {
        var version = table.Version;
        _new.Clear();
        foreach (var shard in shards)
            shard.CollectWishes(_new, moves, now);
        foreach (var wish in _new)
        {
            foreach (var shard in shards)
                shard.Proposed(wish, version);
        }

        if (_wishes.Count == 0)
            (_begunAt, _urgentSince) = (now.Ticks, long.MaxValue);
        if (_urgentSince == long.MaxValue && _new.Exists(wish => wish.IsUrgentIn(table)))
            _urgentSince = now.Ticks;
        _wishes.AddRange(_new);
        _version = version;
        if (_wishes.Count == 0 || (_new.Count == 0 && now.Ticks - _sentAt < options.Times.Resend.Ticks))
            return null;
        _sentAt = now.Ticks;
        return new Proposal(version, [.. _wishes]);
    }

    /// <summary>Returns the table for a direct proposal, when the coordinator has not answered in time: takeovers,
    /// moves and shrinks.</summary>
    /// <param name="table">The table that stands.</param>
    /// <param name="peers">The other members.</param>
    /// <param name="self">This node's slot.</param>
    /// <param name="coordinator">Who coordinates; null: it is not known.</param>
    /// <param name="now">The moment.</param>
    /// <returns>Null: there is nothing to propose, or it is too early, or the node hears too few others.</returns>
    public ClusterTable? FindDirect(
        ClusterTable table, PeerBook peers, NodeSlot self, NodeId? coordinator, Moment now)
    {
        if (_wishes.Count == 0)
            return null;
        var wait = DirectAfter(table, self, CanAnswer(peers, coordinator, now));
        var isOverdue = now.Ticks - _begunAt >= wait + options.Times.Pace.Ticks;
        if (!isOverdue && now.Ticks - wait < _urgentSince)
            return null;
        var mayShrink = options.Mutant == Mutant.IsolatedShrink || peers.MayShrink(now.Ticks);

        // This is asked after each frame while a wish is overdue, so the entries are copied only for a proposal.
        ImmutableArray<PartitionEntry>.Builder? entries = null;
        foreach (var wish in _wishes)
        {
            var isDirect = wish.Change is PartitionChange.TakeOver or PartitionChange.PlannedMove
                || (wish.Change == PartitionChange.Shrink && mayShrink);
            if (!isDirect
                || !(isOverdue || wish.IsUrgentIn(table))
                || !CanTake(table, wish)
                || wish.Apply(table[wish.Partition]) is not { } entry)
                continue;
            entries ??= table.Partitions.ToBuilder();
            entries[wish.Partition.Value] = entry;
        }

        return entries is null
            ? null
            : table.StartSuccessor(options.NewGuid()) with { Partitions = entries.DrainToImmutable() };
    }

    // The jitter differs from node to node and from version to version, and needs no draw.
    private long DirectAfter(ClusterTable table, NodeSlot self, bool canAnswer)
    {
        var moments = canAnswer
            ? Math.Clamp(table.Members.Length / NodesPerMoment, MomentsMin, MomentsMax)
            : MomentsMin;
        var jitter = options.Times.Direct.Ticks * (((self.Value * 7) + table.Version) % moments) / MomentsMin;
        return canAnswer ? options.Times.Direct.Ticks + jitter : jitter / JitterShare;
    }

    // Nobody waits for the answer of a coordinator that is dead or silent: it is often the node whose partitions are
    // taken over. A coordinator that is not known may be a new one.
    private static bool CanAnswer(PeerBook peers, NodeId? coordinator, Moment now) =>
        coordinator is not { } node
        || peers.Find(node) is not { } peer
        || peers.IsHeard(peer.Member.Slot, now.Ticks);

    private static bool CanTake(ClusterTable table, Wish wish) =>
        wish.Change == PartitionChange.Shrink
        || table.FindMember(wish.Member)?.State is MemberState.Active
        || (wish.Change == PartitionChange.TakeOver && table.FindMember(wish.Member)?.State is MemberState.Draining);
}
