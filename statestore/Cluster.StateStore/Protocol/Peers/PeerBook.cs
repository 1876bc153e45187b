using System.Collections.Frozen;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Peers;

/// <summary>The other members: who is heard, and which leases they have given. Used under the node's lock.</summary>
/// <param name="times">The times of the protocol.</param>
/// <param name="mutant">The mistake that a test builds in.</param>
internal sealed class PeerBook(ProtocolTimes times, Mutant mutant) : ILeases
{
    private readonly Dictionary<NodeSlot, Peer> _peers = [];
    private readonly Dictionary<NodeId, string> _dead = [];
    private readonly Dictionary<NodeId, Peer> _byNode = [];
    private readonly HashSet<NodeSlot> _suspects = [];
    private ClusterTable? _table;
    private Dictionary<NodeSlot, HashSet<NodeSlot>>? _judges;
    private long _suspectsAt = long.MinValue;
    private long? _coordinatesSince;
    private volatile FrozenDictionary<NodeId, Peer> _published = FrozenDictionary<NodeId, Peer>.Empty;

    /// <summary>The other members.</summary>
    public IEnumerable<Peer> Peers => _peers.Values;

    /// <inheritdoc />
    public long StartedAt { get; private set; } = long.MinValue / 2;

    /// <inheritdoc />
    public long LeaseEnd(NodeSlot member, PartitionId partition)
    {
        if (!_peers.TryGetValue(member, out var peer))
            return long.MinValue;
        var since = peer.Excluded.TryGetValue(partition, out var frozen) ? frozen : peer.AckedSentAt;
        return since is { } sentAt ? sentAt + times.Lease.Ticks : long.MinValue;
    }

    /// <inheritdoc />
    public long HeardAt(NodeSlot member) => _peers.TryGetValue(member, out var peer) ? peer.HeardAt : long.MinValue / 2;

    /// <inheritdoc />
    public bool IsDead(NodeSlot member) => !_peers.TryGetValue(member, out var peer) || peer.IsDead;

    /// <summary>Whether a member has not been heard for a while. Other threads may call it without the node's lock, so
    /// it looks at what was published last. A member that this node does not watch is suspected when it is proven
    /// dead.</summary>
    public bool IsSuspected(NodeId node, long now) =>
        _published.TryGetValue(node, out var peer)
        && (peer.IsDead || (peer.IsWatched && now - peer.HeardAt >= times.Suspect.Ticks));

    /// <summary>Finds a member by its name and incarnation.</summary>
    public Peer? Find(NodeId node) => _byNode.GetValueOrDefault(node);

    /// <summary>Whether a member has been heard lately. A member that this node does not watch counts as heard unless
    /// most of its judges say otherwise. The coordinator, which every member tells of itself now and then, must have
    /// heard it as well.</summary>
    public bool IsHeard(NodeSlot member, long now)
    {
        if (!_peers.TryGetValue(member, out var peer) || peer.IsDead)
            return false;
        if (peer.IsWatched && !IsHeardHere(peer, now))
            return false;

        // A member that this node watches only now may have been silent for long.
        return (peer.IsWatched && !peer.IsNew) || !(IsReportedSilent(member, now) || IsMissed(peer, now));
    }

    /// <summary>Begins or ends the time in which this node is the coordinator.</summary>
    public void Coordinate(bool isActive, long now)
    {
        if (isActive == _coordinatesSince.HasValue)
            return;
        _coordinatesSince = isActive ? now : null;
        foreach (var peer in _peers.Values)
            peer.SilentAt = long.MinValue;
    }

    /// <summary>Remembers as the coordinator who is not heard. When a silent member has lost its partitions, only its
    /// neighbours can report it, and they may have failed with it.</summary>
    public void NoteSilent(long now)
    {
        if (_table is null)
            return;
        foreach (var peer in _peers.Values)
        {
            if (!IsHeard(peer.Member.Slot, now))
                peer.SilentAt = now;
        }
    }

    /// <summary>Takes over the members of a table.</summary>
    public void Update(ClusterTable table, NodeId self, long now)
    {
        var slots = table.Members.Select(member => member.Slot).ToHashSet();
        foreach (var slot in _peers.Keys)
        {
            if (!slots.Contains(slot))
                _peers.Remove(slot);
        }

        var isSparse = BeaconPairs.IsSparse(table, times.AllPairsMax);
        (_table, _judges) = (isSparse ? table : null, null);
        var watched = isSparse && table.FindMember(self)?.Slot is { } own ? BeaconPairs.FindWatched(table, own) : null;
        _suspectsAt = long.MinValue;
        _byNode.Clear();

        foreach (var member in table.Members)
        {
            if (member.Node == self)
                continue;
            if (!_peers.TryGetValue(member.Slot, out var peer) || peer.Member.Node != member.Node)
                _peers[member.Slot] = peer = new Peer(member, now);
            peer.Member = member;
            _byNode[member.Node] = peer;

            // A node that is not in the list yet has no partners. It hears nobody, so it must not coordinate.
            Watch(peer, watched?.Contains(member.Slot) ?? true, now);
            peer.IsDead |= member.State == MemberState.Gone || _dead.ContainsKey(member.Node);
        }

        _published = _peers.Values.ToFrozenDictionary(peer => peer.Member.Node);
    }

    /// <summary>What proved that a life has ended, in words.</summary>
    public string ProofOf(NodeId node) => _dead.GetValueOrDefault(node, "the table says so");

    /// <summary>Remembers that a life has ended.</summary>
    public void Died(NodeId node, string proof)
    {
        _dead.TryAdd(node, proof);
        if (Find(node) is { } peer)
            peer.IsDead = true;
    }

    /// <summary>Takes what an acknowledged beacon promises.</summary>
    /// <returns>False: this node has not sent such a beacon.</returns>
    public bool Acked(Peer peer, BeaconAck ack, long now)
    {
        if (ack.SentAt > now)
            return false;

        // This node did not run for a while, and its clock may have stood still. So an older lease may be over.
        if (ack.SentAt < StartedAt)
            return true;

        // A newer acknowledgement came first. What this one does not exclude may be excluded since.
        if (ack.SentAt < peer.AckedSentAt)
            return true;
        foreach (var partition in peer.Excluded.Keys)
        {
            if (!ack.Excluded.Contains(partition))
                peer.Excluded.Remove(partition);
        }

        foreach (var partition in ack.Excluded)
            peer.Excluded.TryAdd(partition, peer.AckedSentAt);
        var sentAt = mutant == Mutant.LeaseFromReceipt ? now : ack.SentAt;
        peer.AckedSentAt = sentAt;
        return true;
    }

    /// <summary>Gives all leases up, and lets all graces begin again: this node has missed time.</summary>
    public void StartAgain(long now)
    {
        StartedAt = now;
        foreach (var peer in _peers.Values)
        {
            peer.AckedSentAt = null;
            peer.Excluded.Clear();
            peer.WaitAgain(now);
        }
    }

    /// <summary>Returns the watched members that are not heard.</summary>
    public ImmutableArray<NodeSlot> FindSilent(long now) =>
    [
        .. _peers.Values
            .Where(peer => peer.IsWatched && peer.Member.State != MemberState.Gone && !IsHeard(peer.Member.Slot, now))
            .Select(peer => peer.Member.Slot),
    ];

    /// <summary>Whether this node hears at least half of the active members that it watches, itself among
    /// them.</summary>
    public bool HearsHalf(long now) => HearsHalf(now, times.Lease);

    /// <summary>Whether this node may drop a backup that it does not reach: it has heard at least half of the active
    /// members within one and a half beacons. A node that is cut off finds its backups slow long before it finds them
    /// silent. Without its backups it would stay the primary of partitions that nobody reaches.</summary>
    public bool MayShrink(long now) => HearsHalf(now, times.Beacon * 1.5);

    /// <summary>Whether most active members that this node hears, itself among them, do not hear a member. In a large
    /// cluster its judges count.</summary>
    public bool IsMostlySilent(NodeSlot member, long now)
    {
        if (_table is not null)
            return IsReportedSilent(member, now);
        var judges = _peers.Values
            .Where(peer => peer.Member.State == MemberState.Active && peer.Member.Slot != member)
            .Where(peer => IsHeard(peer.Member.Slot, now))
            .ToArray();
        var silent = judges.Count(peer => peer.Silent.Contains(member)) + (IsHeard(member, now) ? 0 : 1);
        return 2 * silent > judges.Length + 1;
    }

    private bool HearsHalf(long now, TimeSpan within)
    {
        var active = _peers.Values
            .Where(peer => peer.IsWatched && peer.Member.State == MemberState.Active && !peer.IsDead)
            .ToArray();
        var heard = active.Count(peer => now - peer.HeardAt < within.Ticks);
        return 2 * (heard + 1) >= active.Length + 1;
    }

    // Members that are watched only now were not asked for beacons before.
    private static void Watch(Peer peer, bool isWatched, long now)
    {
        if (isWatched && !peer.IsWatched)
        {
            peer.WaitAgain(now);
            peer.WatchedAt = peer.HeardAt;
        }

        peer.IsWatched = isWatched;
    }

    // Only the coordinator gets all reports, and it alone decides by them. The judges that are reported themselves do
    // not count: they may have failed, and what they reported last is old, or they are cut off and hear nobody.
    private bool IsReportedSilent(NodeSlot member, long now)
    {
        if (_table is null)
            return false;
        _judges ??= BeaconPairs.FindJudges(_table);
        if (_suspectsAt != now)
            FindSuspects(now);
        if (!_suspects.Contains(member) || !_judges.TryGetValue(member, out var judges))
            return false;
        var (silent, all) = (0, 0);
        foreach (var slot in judges)
        {
            // What this node does not know as a peer is the node itself.
            var isSelf = !_peers.TryGetValue(slot, out var peer);
            if (!isSelf && (peer!.IsDead || _suspects.Contains(slot)))
                continue;
            var isSilent = isSelf ? !IsHeardHere(_peers[member], now) : peer!.Silent.Contains(member);
            (silent, all) = (silent + (isSilent ? 1 : 0), all + 1);
        }

        return all == 0 || 2 * silent > all;
    }

    // Each member sends the coordinator a beacon when it learns who that is, and now and then. A thousand members need
    // a moment to connect.
    private bool IsMissed(Peer peer, long now)
    {
        if (_table is null || _coordinatesSince is not { } since)
            return false;
        var heardFrom = Math.Max(since, now - (2 * times.Report.Ticks));
        return peer.SilentAt >= peer.HeardAt || (now - since >= 2 * times.Lease.Ticks && peer.HeardAt < heardFrom);
    }

    private void FindSuspects(long now)
    {
        _suspectsAt = now;
        _suspects.Clear();
        foreach (var peer in _peers.Values)
        {
            if (peer.IsWatched && !IsHeardHere(peer, now))
                _suspects.Add(peer.Member.Slot);
            if (!peer.IsDead && now - peer.HeardAt <= 2 * times.Report.Ticks)
                _suspects.UnionWith(peer.Silent);
        }
    }

    private bool IsHeardHere(Peer peer, long now) => now - peer.HeardAt < times.Lease.Ticks;
}
