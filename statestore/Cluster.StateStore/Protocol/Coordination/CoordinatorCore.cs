using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Peers;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>The coordinator: collects what nodes ask for and makes one table of it. Used under the node's
/// lock.</summary>
/// <param name="options">The node.</param>
internal sealed class CoordinatorCore(NodeOptions options)
{
    private readonly Dictionary<NodeSlot, Proposal> _proposals = [];
    private readonly Dictionary<NodeId, MemberAsk> _asks = [];
    private readonly Dictionary<NodeId, string> _dead = [];
    private readonly SetAside _setAside = new(options.Times);
    private long? _firstAt;
    private bool _isUrgent;
    private long _plannedAt = long.MinValue / 2;
    private long _membersChangedAt;
    private EquatableArray<NodeId> _members;

    /// <summary>Whether this node has the role.</summary>
    public bool IsActive { get; private set; }

    /// <summary>Wishes that their senders may not have, or that did not fit the table.</summary>
    public long RefusedWishes { get; private set; }

    /// <summary>Takes the role, or gives it up with all that was collected.</summary>
    public void Activate(bool isActive)
    {
        if (IsActive == isActive)
            return;
        IsActive = isActive;
        _proposals.Clear();
        _asks.Clear();
        _firstAt = null;
    }

    /// <summary>Collects wishes.</summary>
    public void Asked(NodeSlot from, Proposal proposal, long now)
    {
        _proposals[from] = proposal;
        Collected(proposal.Wishes.Any(wish => wish.IsUrgent), now);
    }

    /// <summary>Collects a change of the member list.</summary>
    /// <param name="ask">The change.</param>
    /// <param name="isUrgent">Whether no other one is expected soon.</param>
    /// <param name="now">The monotonic clock.</param>
    public void Asked(MemberAsk ask, bool isUrgent, long now)
    {
        _asks[ask.Member.Node] = ask;
        Collected(isUrgent, now);
    }

    /// <summary>Remembers that a life has ended.</summary>
    public void Died(NodeId node, string proof, long now)
    {
        if (_dead.TryAdd(node, proof))
            Collected(isUrgent: true, now);
    }

    /// <summary>Looks at a new table.</summary>
    public void Adopted(ClusterTable table, long now)
    {
        _proposals.Clear();
        var members = new EquatableArray<NodeId>(
            [.. table.Members.Where(member => member.State == MemberState.Active).Select(member => member.Node)]);
        if (members == _members)
            return;
        _members = members;
        _membersChangedAt = now;
    }

    /// <summary>Returns the table to propose; null: none, or not yet.</summary>
    /// <param name="table">The table that stands.</param>
    /// <param name="self">This node's slot.</param>
    /// <param name="peers">The other members.</param>
    /// <param name="nonce">Makes the nonce of the proposal.</param>
    /// <param name="now">The monotonic clock.</param>
    public ClusterTable? Decide(ClusterTable table, NodeSlot? self, PeerBook peers, Func<Guid> nonce, long now)
    {
        var times = options.Times;
        var wait = _isUrgent ? times.UrgentBatch : times.Batch;
        var isDue = now - _firstAt >= wait.Ticks || now - _plannedAt >= times.Batch.Ticks;
        if (!IsActive || !isDue)
            return null;
        _plannedAt = now;
        (_firstAt, _isUrgent) = (null, false);
        var view = new CoordinatorView(self, peers, _setAside, now, options.Backups)
        {
            IsSettled = now - _membersChangedAt >= times.Settle.Ticks,
            InitialNodeCount = options.InitialNodeCount,
        };
        foreach (var node in peers.Peers.Where(peer => peer.IsDead).Select(peer => peer.Member.Node))
            _dead.TryAdd(node, peers.ProofOf(node));
        var asks = _asks.Values.Where(ask => !_dead.ContainsKey(ask.Member.Node));
        var policy = new CoordinatorPolicy(view, table).Enter(asks).Bury(_dead);
        foreach (var (from, proposal) in _proposals)
        {
            if (proposal.Version == table.Version)
                policy.Grant(from, proposal);
        }

        _asks.Clear();
        RefusedWishes += policy.RefusedCount;
        return policy.Plan().ToSuccessor(nonce(), options.CountOf);
    }

    private void Collected(bool isUrgent, long now)
    {
        _firstAt ??= now;
        _isUrgent |= isUrgent;
    }
}
