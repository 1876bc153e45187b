using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Coordination;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Peers;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>One node's part in the cluster: its table, its beacons, its proposals and, while it has the role, the
/// coordinator's decisions. A pure state machine: one caller at a time; each call leaves in <see cref="Effects"/> what
/// the shell is to do. See <c>docs/formats/state-protocol.md</c>.</summary>
internal sealed class NodeCore
{
    private readonly NodeOptions _options;
    private readonly IReadOnlyList<INodeShard> _shards;
    private readonly PeerBook _peers;
    private readonly Swaps _swaps;
    private readonly Proposals _proposals;
    private readonly MoveWindow _moves;
    private readonly Membership _membership;
    private readonly FarBeacons _far;
    private readonly CoordinatorCore _coordinator;
    private readonly Func<bool> _isEmpty;
    private ClusterMember? _own;
    private NodeId? _holder;
    private long _beaconAt;
    private long _holdAt;
    private long _askedAt = long.MinValue / 2;
    private Moment _last;

    /// <summary>Makes a node that knows no table.</summary>
    /// <param name="options">The node.</param>
    /// <param name="peers">What it knows about the others; the shards have the same one.</param>
    /// <param name="shards">Its shards.</param>
    /// <param name="now">The moment.</param>
    public NodeCore(NodeOptions options, PeerBook peers, IReadOnlyList<INodeShard> shards, Moment now)
    {
        (_options, _peers, _shards, _last) = (options, peers, shards, now);
        _swaps = new Swaps(Effects, options.Times);
        _proposals = new Proposals(shards, options);
        _moves = new MoveWindow(options.Times);
        _membership = new Membership(options);
        _far = new FarBeacons(options.Times);
        _isEmpty = () => _shards.All(shard => shard.IsEmpty);
        _coordinator = new CoordinatorCore(options);
    }

    /// <summary>What the shell is to do after a call.</summary>
    public NodeEffects Effects { get; } = new();

    /// <summary>The newest table that the store has confirmed; null before the first one.</summary>
    public ClusterTable? Table { get; private set; }

    /// <summary>The identity of the cluster whose table this is.</summary>
    public Guid TableClusterId { get; private set; }

    /// <summary>This node's slot; null: it is not a member.</summary>
    public NodeSlot? Self { get; private set; }

    /// <summary>Tables of other clusters that were refused.</summary>
    public long ForeignTables { get; private set; }

    /// <summary>Frames with impossible numbers, and those that their senders may not send.</summary>
    public long MalformedFrames { get; private set; }

    /// <summary>When <see cref="Tick"/> is needed next.</summary>
    public long NextDeadline { get; private set; } = long.MinValue;

    /// <summary>Does what is due.</summary>
    public void Tick(Moment now)
    {
        Enter(now);
        if (Table is null || now.Ticks >= _holdAt)
            AskStore(now);
        if (now.Ticks >= _beaconAt)
            SendBeacons(now);
        foreach (var shard in _shards)
            shard.Tick(now);
        _swaps.Tick(now.Ticks);
        Act(now);
    }

    /// <summary>Handles a frame of another node that is not for a shard.</summary>
    public void Receive(NodeId from, object frame, Moment now)
    {
        Enter(now);
        switch (frame)
        {
            case BeaconAck or Proposal or DeathReport when _peers.Find(from) is null:
            case MemberAsk stranger when stranger.Member.Node != from:
                MalformedFrames++;
                break;
            case Beacon beacon:
                Heard(from, beacon, now);
                break;
            case BeaconAck ack when _peers.Find(from) is { } peer:
                MalformedFrames += _peers.Acked(peer, ack, now.Ticks) ? 0 : 1;
                ReadIfNewer(ack.TableVersion);
                break;
            case TableHint hint:
                ReadIfNewer(hint.Version);
                break;
            case Proposal proposal when _peers.Find(from) is { } peer:
                Proposed(peer, proposal, now);
                break;
            case MemberAsk ask when _coordinator.IsActive:
                _coordinator.Asked(ask, isUrgent: false, now.Ticks);
                break;
            case DeathReport report when _coordinator.IsActive:
                _coordinator.Died(report.Node, report.Proof, now.Ticks);
                break;
        }

        Act(now);
    }

    /// <summary>Takes a table that the store has shown.</summary>
    /// <param name="table">The table.</param>
    /// <param name="clusterId">The identity of its cluster.</param>
    /// <param name="now">The moment.</param>
    public void TableRead(ClusterTable table, Guid clusterId, Moment now)
    {
        Enter(now);
        if (clusterId != _options.ClusterId && _options.Mutant != Mutant.ForeignTable)
            ForeignTables++;
        else
            Adopt(table, clusterId, now);
        Act(now);
    }

    /// <summary>Reads the table if another node or the store tells of a newer one.</summary>
    public void TableChanged(long version, Moment now)
    {
        Enter(now);
        ReadIfNewer(version);
    }

    /// <summary>Handles the outcome of a compare-and-swap.</summary>
    public void SwapEnded(Guid nonce, SwapResult result, Moment now)
    {
        Enter(now);
        if (_swaps.Ended(nonce, result, now.Ticks) is { } table)
            Adopt(table, _options.ClusterId, now);
        else
            _membership.Retry();
        Act(now);
    }

    /// <summary>Learns who has the role of the coordinator; null: another node, which is not known.</summary>
    public void CoordinatorKnown(NodeId? holder, Moment now)
    {
        Enter(now);
        _holder = holder ?? (_holder == _options.Member.Node ? null : _holder);
        Coordinate(holder == _options.Member.Node, now);
        Act(now);
    }

    /// <summary>Learns that a life has ended for certain.</summary>
    /// <param name="node">The life.</param>
    /// <param name="proof">What proves it, in words.</param>
    /// <param name="now">The moment.</param>
    public void DeathProven(NodeId node, string proof, Moment now)
    {
        Enter(now);
        _peers.Died(node, proof);
        if (_coordinator.IsActive)
            _coordinator.Died(node, proof, now.Ticks);
        else if (_peers.Find(node) is { } peer)
            ReportDeath(peer);
        Act(now);
    }

    /// <summary>Begins to become what the node shall be in the member list. An earlier goal never comes back.</summary>
    public void Aim(MemberGoal goal, Moment now)
    {
        Enter(now);
        _membership.Aim(goal);
        Act(now);
    }

    /// <summary>Returns a member's name and incarnation; null: the table does not list it.</summary>
    public NodeId? NodeOf(NodeSlot slot) => Table?.FindMember(slot)?.Node;

    /// <summary>Returns a member's slot; null: the table does not list it.</summary>
    public NodeSlot? SlotOf(NodeId node) => _peers.Find(node)?.Member.Slot;

    // A node that did not run for a while must not believe its old leases, nor take its own silence for that of others.
    private void Enter(Moment now)
    {
        var passed = now.Ticks - _last.Ticks;
        var jumped = Math.Abs(now.Utc - _last.Utc - passed);
        if (passed >= (_options.Times.Missed + _options.Times.Beacon).Ticks || jumped >= _options.Times.Missed.Ticks)
            _peers.StartAgain(now.Ticks);
        _last = now;
    }

    private void AskStore(Moment now)
    {
        _holdAt = now.Ticks + (2 * _options.Times.Beacon.Ticks);
        Effects.Read(isConsistent: Table is null);
        if (_membership.MayCoordinate && _peers.HearsHalf(now.Ticks))
        {
            Effects.HoldsCoordinator = true;
        }
        else if (_coordinator.IsActive)
        {
            Coordinate(false, now);
            Effects.ReleasesCoordinator = true;
        }
    }

    private void Coordinate(bool isActive, Moment now)
    {
        _coordinator.Activate(isActive);
        _peers.Coordinate(isActive, now.Ticks);
    }

    private void SendBeacons(Moment now)
    {
        _beaconAt = now.Ticks + _options.Times.Beacon.Ticks;
        if (Table is null || Self is null)
            return;
        var beacon = new Beacon(now.Ticks, Table.Version, _peers.FindSilent(now.Ticks))
        {
            IsCoordinator = _coordinator.IsActive,
        };
        var coordinator = FindCoordinator();
        var isFarDue = _far.AreDue(beacon.IsCoordinator, coordinator, beacon.Silent, now.Ticks);
        foreach (var peer in _peers.Peers)
        {
            if (peer.IsDead)
            {
                ReportDeath(peer);
                continue;
            }

            var isFar = isFarDue && (beacon.IsCoordinator || peer.Member.Node == coordinator);
            if (peer.IsWatched || isFar)
                Effects.Messages.Add((peer.Member.Node, beacon));
            if (peer.IsWatched && now.Ticks - peer.HeardAt >= _options.Times.Lease.Ticks / 3)
                Effects.Probes.Add(peer.Member.Node);
        }
    }

    // The report may be lost, or come to a coordinator that ends; so it is sent with each beacon until the table tells
    // it.
    private void ReportDeath(Peer peer)
    {
        if (peer.Member.State != MemberState.Gone && FindCoordinator() is { } coordinator)
            Effects.Messages.Add((coordinator, new DeathReport(peer.Member.Node, _peers.ProofOf(peer.Member.Node))));
    }

    private void Heard(NodeId from, Beacon beacon, Moment now)
    {
        ReadIfNewer(beacon.TableVersion);
        if (Table is null || _peers.Find(from) is not { } peer)
            return;
        peer.HeardAt = now.Ticks;
        peer.Silent = beacon.Silent;
        if (beacon.IsCoordinator && !_coordinator.IsActive)
            _holder = from;
        var excluded = ImmutableArray.CreateBuilder<PartitionId>();
        foreach (var shard in _shards)
            shard.CollectExclusions(peer.Member.Slot, beacon.TableVersion, excluded);
        Effects.Messages.Add((from, new BeaconAck(beacon.SentAt, Table.Version, excluded.DrainToImmutable())));
    }

    private void Proposed(Peer peer, Proposal proposal, Moment now)
    {
        if (Table is null || proposal.Version > Table.Version)
            ReadIfNewer(proposal.Version);
        else if (proposal.Version < Table.Version)
            Effects.Messages.Add((peer.Member.Node, new TableHint(Table.Version)));
        else if (_coordinator.IsActive)
            _coordinator.Asked(peer.Member.Slot, proposal, now.Ticks);
    }

    private void ReadIfNewer(long version)
    {
        if (Table is not null && version <= Table.Version)
            return;
        Effects.Read(isConsistent: false);
        Effects.HeardVersion = Math.Max(Effects.HeardVersion, version);
    }

    private void Adopt(ClusterTable table, Guid clusterId, Moment now)
    {
        if (Table is not null && table.Version <= Table.Version)
            return;
        _moves.Adopted(Table, table, now.Ticks);
        (Table, TableClusterId) = (table, clusterId);
        var wasMember = Self is not null;
        _own = table.FindMember(_options.Member.Node);
        Self = _own?.Slot;
        _peers.Update(table, _options.Member.Node, now.Ticks);
        _proposals.Adopted(table.Version);
        _swaps.Adopted(table.Version);
        _coordinator.Adopted(table, now.Ticks);
        foreach (var shard in _shards)
            shard.Apply(table, Self, now);
        if (Membership.HasLeft(table, _options.Member.Node) || (wasMember && Self is null))
        {
            _membership.End();
            Effects.Exits = true;
        }
    }

    // Everything that follows from what the node knows now.
    private void Act(Moment now)
    {
        foreach (var shard in _shards)
            ReadIfNewer(shard.TakeHint());

        if (Table is { } table)
        {
            AskForMembership(table, now);
            if (Self is { } self)
                Propose(table, self, now);
            if (!_swaps.IsBusy
                && _coordinator.Decide(table, Self, _peers, _options.NewGuid, now.Ticks) is { } successor)
                _swaps.Propose(successor, needsCoordinator: true);
        }

        var isBusy = _proposals.IsBusy || _coordinator.IsActive || _shards.Any(shard => shard.NeedsTick);
        var soon = now.Ticks + (isBusy ? _options.Times.UrgentBatch.Ticks : _options.Times.Beacon.Ticks);
        NextDeadline = Math.Min(soon, Math.Min(_beaconAt, _holdAt));
    }

    private void Propose(ClusterTable table, NodeSlot self, Moment now)
    {
        var coordinator = FindCoordinator();
        if (_proposals.Collect(table, FindPermit(coordinator, now), now) is { } proposal)
        {
            if (_coordinator.IsActive)
                _coordinator.Asked(self, proposal, now.Ticks);
            else if (coordinator is { } to)
                Effects.Messages.Add((to, Spoken(proposal, table.FindMember(to))));
        }

        if (!_swaps.IsBusy && _proposals.FindDirect(table, _peers, self, coordinator, now) is { } successor)
            _swaps.Propose(successor, needsCoordinator: false);
    }

    // Clients of a node that leaves wait for no other moves.
    private MovePermit FindPermit(NodeId? coordinator, Moment now)
    {
        if (!_coordinator.IsActive
            && !(coordinator is { } other && SlotOf(other) is { } slot && _peers.IsHeard(slot, now.Ticks)))
            return MovePermit.None;
        return _own?.State == MemberState.Draining || _moves.IsOpen(now.Ticks) ? MovePermit.Begin : MovePermit.Finish;
    }

    // An older coordinator knows no snapshots, and would take the whole proposal for a malformed one.
    private static Proposal Spoken(Proposal proposal, ClusterMember? coordinator) =>
        coordinator is { Protocol: < ProtocolVersion.WithSnapshots }
            ? proposal with
            {
                Wishes = [.. proposal.Wishes.Where(wish => wish.Change != PartitionChange.DeclareLost)],
            }
            : proposal;

    private void AskForMembership(ClusterTable table, Moment now)
    {
        if (_membership.FindWanted(table, _own, _isEmpty) is not { } wanted)
            return;
        var ask = new MemberAsk(wanted) { States = _options.States };
        if (_membership.IsOverdue(now))
        {
            if (!_swaps.IsBusy)
                _swaps.Propose(ask.Enter(table).StartSuccessor(_options.NewGuid()), needsCoordinator: false);
        }
        else if (now.Ticks - _askedAt >= _options.Times.Resend.Ticks)
        {
            _askedAt = now.Ticks;
            if (_coordinator.IsActive)
                _coordinator.Asked(ask, isUrgent: table.Members.IsEmpty, now.Ticks);
            else
                Effects.Messages.AddRange(FindJudges(table).Select(node => (node, (object)ask)));
        }
    }

    // Beacons tell who coordinates, and only members hear them. All but the coordinator ignore the question.
    private IEnumerable<NodeId> FindJudges(ClusterTable table) => FindCoordinator() is { } coordinator
        ? [coordinator]
        : table.Members
            .Where(member => member.State is MemberState.Active or MemberState.Draining)
            .Select(member => member.Node)
            .Where(node => node != _options.Member.Node);

    // The coordinator can be reached when the table lists it.
    private NodeId? FindCoordinator() =>
        _holder is { } holder && holder != _options.Member.Node && _peers.Find(holder) is not null
            ? holder
            : null;
}
