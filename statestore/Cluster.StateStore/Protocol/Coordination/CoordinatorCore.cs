using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
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
    private readonly SnapshotOffers _offers = new();
    private long _urgentAt = long.MaxValue;
    private bool _isAllUrgent;
    private ClusterTable? _table;
    private long _plannedAt = long.MinValue / 2;
    private long _steppedAt = long.MinValue / 2;
    private long _membersChangedAt;
    private EquatableArray<NodeId> _members;
    private int _spoken;
    private long _spokenSince;

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
        _offers.Clear();
        (_urgentAt, _isAllUrgent) = (long.MaxValue, false);
        _spoken = 0;
    }

    /// <summary>Collects wishes.</summary>
    public void Asked(NodeSlot from, Proposal proposal, long now)
    {
        _proposals[from] = proposal;
        if (_table is not { } table || proposal.Version != table.Version)
            return;
        _offers.Offered(table, from, proposal, now);
        var times = options.Times;
        foreach (var wish in proposal.Wishes)
        {
            if (wish.IsUrgentIn(table))
                Hurry(now, wish.Change == PartitionChange.PlannedMove ? times.MoveBatch : times.UrgentBatch);
        }
    }

    /// <summary>Collects a change of the member list.</summary>
    /// <param name="ask">The change.</param>
    /// <param name="isUrgent">Whether no other one is expected soon.</param>
    /// <param name="now">The monotonic clock.</param>
    public void Asked(MemberAsk ask, bool isUrgent, long now)
    {
        _asks[ask.Member.Node] = ask;
        if (isUrgent)
            HurryAll(now);
    }

    /// <summary>Remembers that a life has ended.</summary>
    public void Died(NodeId node, string proof, long now)
    {
        if (_dead.TryAdd(node, proof))
            HurryAll(now);
    }

    /// <summary>Looks at a new table.</summary>
    public void Adopted(ClusterTable table, long now)
    {
        _table = table;
        _proposals.Clear();
        _offers.Adopted(table);
        if (!_isAllUrgent)
            _urgentAt = long.MaxValue;
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
        if (!IsActive)
            return null;
        var times = options.Times;
        var isUrgent = now >= _urgentAt;
        var isRegular = now - _plannedAt >= times.Batch.Ticks;
        if (isRegular && IsPaced(table, now))
            (_plannedAt, isRegular) = (now, false);
        if (!isUrgent && !isRegular)
            return null;
        var isAll = isRegular || _isAllUrgent;
        (_urgentAt, _isAllUrgent) = (long.MaxValue, false);
        peers.NoteSilent(now);
        var view = new CoordinatorView(self, peers, _setAside, now)
        {
            IsSettled = now - _membersChangedAt >= times.Settle.Ticks,
            InitialNodeCount = options.InitialNodeCount,
            Offers = _offers,
            RestoreTicks = options.Mutant == Mutant.RestoreAtOnce ? 0 : times.Restore.Ticks,
            TakesAnySnapshot = options.Mutant == Mutant.AnySnapshot,
        };
        return isAll ? DecideAll(view, table, nonce) : DecideUrgent(view, table, nonce);
    }

    private ClusterTable? DecideAll(CoordinatorView view, ClusterTable table, Func<Guid> nonce)
    {
        _plannedAt = view.Now;
        var peers = view.Peers;
        foreach (var node in peers.Peers.Where(peer => peer.IsDead).Select(peer => peer.Member.Node))
            _dead.TryAdd(node, peers.ProofOf(node));
        var asks = _asks.Values.Where(ask => !_dead.ContainsKey(ask.Member.Node));
        var members = new CoordinatorPolicy(view, table).Enter(asks).Bury(_dead)
            .Raise(FindProtocol(table, view.Now)).BeginSets();
        var policy = Grant(members, table, static _ => true);
        _asks.Clear();
        var successor = policy.Plan().ToSuccessor(nonce(), options.CountOf);
        if (successor is not null)
            _steppedAt = view.Now;
        return successor;
    }

    // While the load is made even, nobody waits for a step. So the steps of many partitions go into one table: that of
    // the last one, or what there is after a while.
    private bool IsPaced(ClusterTable table, long now) =>
        now - _steppedAt < options.Times.Pace.Ticks
        && _asks.Count == 0
        && EvenSteps.AreAwaited(table, _proposals.Values);

    // A node that has ended may come back with the version that it had, so nothing is raised at once.
    private int? FindProtocol(ClusterTable table, long now)
    {
        var spoken = table.Members
            .Where(member => member.State != MemberState.Gone)
            .Select(member => member.Protocol)
            .DefaultIfEmpty(table.Protocol)
            .Min();
        if (spoken != _spoken)
            (_spoken, _spokenSince) = (spoken, now);
        return spoken > table.Protocol && now - _spokenSince >= options.ProtocolRaiseDelay.Ticks ? spoken : null;
    }

    // Only that for which clients wait. The rest goes together, with the next regular decision: many moves that run in
    // step need few tables.
    private ClusterTable? DecideUrgent(CoordinatorView view, ClusterTable table, Func<Guid> nonce) =>
        Grant(new CoordinatorPolicy(view, table), table, wish => wish.IsUrgentIn(table))
            .ToSuccessor(nonce(), options.CountOf);

    private CoordinatorPolicy Grant(CoordinatorPolicy policy, ClusterTable table, Func<Wish, bool> isDue)
    {
        foreach (var (from, proposal) in _proposals)
        {
            if (proposal.Version == table.Version)
                policy.Grant(from, proposal with { Wishes = [.. proposal.Wishes.Where(IsGranted).Where(isDue)] });
        }

        RefusedWishes += policy.RefusedCount;
        return policy;
    }

    private void HurryAll(long now)
    {
        Hurry(now, options.Times.UrgentBatch);
        _isAllUrgent = true;
    }

    private void Hurry(long now, TimeSpan batch) => _urgentAt = Math.Min(_urgentAt, now + batch.Ticks);

    // What nodes say of lost partitions is no wish for this table: the coordinator collects it.
    private static bool IsGranted(Wish wish) => wish.Change != PartitionChange.DeclareLost;
}
