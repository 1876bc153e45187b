using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>Makes the next table of what nodes ask for and of what partitions need. Pure: the same input gives the same
/// table. Used by one decision.</summary>
internal sealed class CoordinatorPolicy
{
    private readonly CoordinatorView _view;
    private readonly ClusterTable _standing;
    private readonly HashSet<PartitionId> _restored = [];
    private PartitionEntry[] _entries;
    private ClusterTable _next;
    private ClusterMember[] _keepers = [];
    private ClusterMember[] _awaited = [];

    /// <summary>Starts with the table that stands.</summary>
    /// <param name="view">What the coordinator knows beside the table.</param>
    /// <param name="standing">The table that the store has.</param>
    public CoordinatorPolicy(CoordinatorView view, ClusterTable standing)
    {
        (_view, _standing, _next) = (view, standing, standing);
        _entries = [.. standing.Partitions];
    }

    /// <summary>How many wishes were refused: their senders may not have them, or they do not fit the table.</summary>
    public int RefusedCount { get; private set; }

    /// <summary>Enters members and their states.</summary>
    public CoordinatorPolicy Enter(IEnumerable<MemberAsk> asks)
    {
        foreach (var ask in asks)
            _next = ask.Enter(_next);
        return this;
    }

    /// <summary>Marks the lives that have ended, and forgets members that nothing names any more.</summary>
    public CoordinatorPolicy Bury(IEnumerable<KeyValuePair<NodeId, string>> dead)
    {
        foreach (var (node, proof) in dead)
        {
            if (_next.FindMember(node) is not { State: not MemberState.Gone } member)
                continue;
            _next = _next.WithMember(member with { State = MemberState.Gone })
                .WithDeath(new NodeDeath(node, proof));
        }

        foreach (var member in _next.Members)
        {
            if (IsSuperseded(member))
                _next = _next.WithMember(member with { State = MemberState.Gone });
        }

        return this;
    }

    /// <summary>Raises the version of the protocol that all members speak at least.</summary>
    /// <param name="version">The version; null, and any that a member does not speak: it stays.</param>
    public CoordinatorPolicy Raise(int? version)
    {
        var isSpoken = _next.Members.All(member => member.State == MemberState.Gone || member.Protocol >= version);
        if (version > _next.Protocol && isSpoken)
            _next = _next with { Protocol = version.Value };
        return this;
    }

    /// <summary>Begins the sets of partitions that members want and that have not begun.</summary>
    public CoordinatorPolicy BeginSets()
    {
        foreach (var backups in _next.Members.Where(IsIn).SelectMany(member => member.WantedBackups.Items).Order())
            _next = _next.WithSet(backups);
        _entries = [.. _next.Partitions];
        return this;
    }

    /// <summary>Applies what replicas want.</summary>
    /// <param name="from">The node that wants it.</param>
    /// <param name="proposal">The wishes, for the standing table.</param>
    public CoordinatorPolicy Grant(NodeSlot from, Proposal proposal)
    {
        foreach (var wish in proposal.Wishes)
        {
            var index = wish.Partition.Value;
            if ((uint)index >= (uint)_entries.Length
                || !IsUnchanged(index)
                || !MayAsk(from, wish, _entries[index])
                || wish.Apply(_entries[index]) is not { } entry)
            {
                RefusedCount++;
                continue;
            }

            if (HasFailed(wish, _entries[index]))
                _view.SetAside.Failed(wish.Member, _view.Now);
            _entries[index] = entry;
        }

        return this;
    }

    /// <summary>Assigns, declares lost and plans.</summary>
    public CoordinatorPolicy Plan()
    {
        var size = _next.SetSize;
        _keepers = [.. _next.Members.Where(member => member.KeepsSnapshots && _view.IsAvailable(member))];

        // A node that becomes a member with this decision could not say anything yet.
        var joining = _next.Members.Where(member =>
            member is { KeepsSnapshots: true, State: MemberState.Active }
            && _standing.FindMember(member.Node) is null);
        _awaited = [.. _keepers.Union(joining)];
        for (var set = 0; set < _next.SetBackups.Count; set++)
            PlanSet(new ArraySegment<PartitionEntry>(_entries, set * size, size), _next.SetBackups[set]);
        return this;
    }

    /// <summary>Returns the next table; null: nothing is to be changed.</summary>
    /// <param name="nonce">The nonce of the proposal.</param>
    /// <param name="countOf">How many entries a partition held when it was counted last.</param>
    public ClusterTable? ToSuccessor(Guid nonce, Func<PartitionId, long?> countOf)
    {
        var next = _next;
        var isChanged = !ReferenceEquals(next, _standing);
        for (var index = 0; index < _entries.Length; index++)
            isChanged |= !IsUnchanged(index);
        next = LossRecords.Record(
                _standing,
                next with { Partitions = [.. _entries] },
                partition => _restored.Contains(partition) ? null : countOf(partition))
            .WithoutForgottenMembers(_standing);
        isChanged |= next.Members.Length != _next.Members.Length;
        return isChanged ? next.StartSuccessor(nonce) : null;
    }

    private void PlanSet(ArraySegment<PartitionEntry> entries, int backups)
    {
        var planner = new Planner(_view, _next, entries, backups);
        for (var index = 0; index < entries.Count; index++)
        {
            if (!IsUnchanged(entries.Offset + index))
                continue;
            var entry = entries[index];
            if (entry.Primary is null)
                entries[index] = planner.Assign(index, entry);
            else if (entry.InSync.Items.All(IsGone))
                entries[index] = DeclareLost(planner, (index, new PartitionId(entries.Offset + index)), entry);
            else
                entries[index] = planner.Plan(index, entry);
        }

        // A take-over or a repair changes the loads. What is moved before may have to be moved back.
        if (!_view.IsSettled || entries.Any(planner.IsUnstable))
            return;
        for (var index = 0; index < entries.Count; index++)
        {
            if (IsUnchanged(entries.Offset + index))
                entries[index] = planner.Balance(index, entries[index]);
        }
    }

    private PartitionEntry DeclareLost(Planner planner, (int Index, PartitionId Id) partition, PartitionEntry entry)
    {
        var lost = _view.Offers.Find(partition.Id, entry.Epoch.Value, _view.Now);
        if (IsAwaited(lost, entry))
            return entry;
        var holders = lost.FindBest(_keepers, _view.TakesAnySnapshot);
        if (holders.Length > 0)
            _restored.Add(partition.Id);
        return planner.DeclareLost(partition.Index, entry, holders);
    }

    // The members that are gone may come back with their snapshots, and the others may have older ones. A partition is
    // declared lost when all of them have said what they have, or when time is up.
    private bool IsAwaited(LostPartition lost, PartitionEntry entry)
    {
        var gone = entry.InSync.Items.Select(_next.FindMember).Where(member => member is { KeepsSnapshots: true });
        var names = gone.Select(member => member!.Node.Name).ToArray();
        return names.Length > 0
            && _view.Now - lost.Since < _view.RestoreTicks
            && (Array.Exists(names, name => !Array.Exists(_keepers, keeper => keeper.Node.Name == name))
                || Array.Exists(_awaited, keeper => !lost.Marks.ContainsKey(keeper.Node)));
    }

    private bool IsUnchanged(int index) => ReferenceEquals(_entries[index], _next.Partitions[index]);

    private static bool IsIn(ClusterMember member) => member.State is MemberState.Joining or MemberState.Active;

    private bool IsGone(NodeSlot slot) => _next.FindMember(slot) is null or { State: MemberState.Gone };

    // A node that started again has another life; the old one is silent, and nothing names it any more.
    private bool IsSuperseded(ClusterMember member) =>
        member.State != MemberState.Gone
        && member.Slot != _view.Self
        && !_view.Peers.IsHeard(member.Slot, _view.Now)
        && _standing.FindMember(member.Node) is not null
        && _next.Members.Any(other => other.Node.Name == member.Node.Name && other.Slot != member.Slot
            && _view.IsAvailable(other))
        && !_entries.Any(entry => entry.Names(member.Slot));

    private bool MayAsk(NodeSlot from, Wish wish, PartitionEntry entry)
    {
        if (_next.FindMember(from) is not { State: MemberState.Active or MemberState.Draining })
            return false;
        return wish.Change switch
        {
            PartitionChange.TakeOver => wish.Member == from,
            PartitionChange.Shrink => entry.Primary == from && (wish.Member == entry.Leaving || HearsEnough(from)),
            PartitionChange.PlannedMove =>
                entry.Primary == from && _next.FindMember(wish.Member) is { State: MemberState.Active },
            PartitionChange.Join => entry.Primary == from
                && _next.FindMember(wish.Member) is { State: MemberState.Active or MemberState.Draining },
            PartitionChange.Target => entry.Primary == from,
            _ => false,
        };
    }

    // A node that the others do not hear must not drop those that it does not hear.
    private bool HearsEnough(NodeSlot from) =>
        from == _view.Self ? _view.Peers.MayShrink(_view.Now) : !_view.Peers.IsMostlySilent(from, _view.Now);

    private static bool HasFailed(Wish wish, PartitionEntry entry) =>
        wish.Change == PartitionChange.Target
        || (wish.Change == PartitionChange.Shrink && wish.Member != entry.Leaving);
}
