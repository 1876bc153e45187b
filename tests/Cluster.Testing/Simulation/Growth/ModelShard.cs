using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.Testing.Simulation.Growth;

/// <summary>The replicas of a node without records: it wants the changes of the table that the replicas of the product
/// want, by the same leases and times, and a copy takes the time that its bytes take. Used by one thread.</summary>
/// <param name="leases">What is known about the other members.</param>
/// <param name="times">The times of the protocol.</param>
/// <param name="copyTime">How long the copy of one partition takes.</param>
internal sealed class ModelShard(ILeases leases, ProtocolTimes times, TimeSpan copyTime) : INodeShard
{
    /// <summary>How many copies a node sends at the same time.</summary>
    public const int CopiesMax = 2;

    private readonly Dictionary<int, ModelReplica> _replicas = [];
    private ModelReplica[] _ordered = [];
    private readonly Dictionary<PartitionId, long> _newPrimaries = [];
    private readonly long[] _copyFreeAt = new long[CopiesMax];
    private ClusterTable? _table;
    private NodeSlot? _self;

    /// <summary>How many copies this node has sent.</summary>
    public long CopyCount { get; private set; }

    public bool IsEmpty => _replicas.Count == 0;

    public bool NeedsTick => false;

    public long TakeHint() => 0;

    public void Apply(ClusterTable table, NodeSlot? self, Moment now)
    {
        var before = _table?.Partitions ?? [];
        var isSame = _self == self;
        (_table, _self) = (table, self);
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var entry = table.Partitions[index];
            var old = index < before.Length ? before[index] : PartitionEntry.Unowned;
            if (ReferenceEquals(entry, old) && isSame)
                continue;
            if (entry.Primary != old.Primary)
                _newPrimaries[new PartitionId(index)] = table.Version;
            if (self is { } slot && entry.Names(slot))
                Change(index, entry, now);
            else
                _replicas.Remove(index);
        }

        // The order is that of the partitions, so that a seed gives the same run again.
        _ordered = [.. _replicas.Values.OrderBy(replica => replica.Id.Value)];
        foreach (var replica in _ordered)
        {
            if (replica.PendingVersion < table.Version)
                replica.PendingVersion = long.MaxValue;
        }
    }

    public void Tick(Moment now)
    {
    }

    public void CollectExclusions(NodeSlot primary, long tableVersion, ImmutableArray<PartitionId>.Builder into)
    {
        foreach (var replica in _ordered)
        {
            if (replica.RefusedEpoch == replica.Entry.Epoch.Value && replica.Entry.Primary == primary)
                into.Add(replica.Id);
        }

        if (_table is null || tableVersion >= _table.Version)
            return;
        foreach (var (partition, version) in _newPrimaries)
        {
            if (version > tableVersion)
                into.Add(partition);
        }
    }

    public void CollectWishes(List<Wish> into, MovePermit moves, Moment now)
    {
        foreach (var replica in _ordered)
        {
            if (replica.PendingVersion == long.MaxValue && Find(replica, moves, now) is { } wish)
                into.Add(wish);
        }
    }

    public void Proposed(Wish wish, long version)
    {
        if (!_replicas.TryGetValue(wish.Partition.Value, out var replica))
            return;
        replica.PendingVersion = version;
        if (wish.Change == PartitionChange.TakeOver)
            replica.RefusedEpoch = wish.Epoch;
    }

    private void Change(int index, PartitionEntry entry, Moment now)
    {
        if (!_replicas.TryGetValue(index, out var replica))
            _replicas[index] = replica = new ModelReplica(new PartitionId(index));
        if (entry.Epoch != replica.Entry.Epoch)
            replica.LearnedAt = now.Ticks;
        if (entry.Joining != replica.Entry.Joining || entry.Primary != replica.Entry.Primary)
        {
            (replica.CopyBegunAt, replica.CopiedAt) = (now.Ticks,
                entry.Joining is not null && entry.Primary == _self ? BeginCopy(now) : long.MaxValue);
        }

        replica.Entry = entry;
    }

    private long BeginCopy(Moment now)
    {
        CopyCount++;
        var lane = Array.IndexOf(_copyFreeAt, _copyFreeAt.Min());
        return _copyFreeAt[lane] = Math.Max(now.Ticks, _copyFreeAt[lane]) + copyTime.Ticks;
    }

    private Wish? Find(ModelReplica replica, MovePermit moves, Moment now)
    {
        var entry = replica.Entry;
        if (entry.Primary == _self)
        {
            return FindShrink(replica, now)
                ?? FindMove(replica, moves, now)
                ?? FindJoin(replica, now)
                ?? FindLeave(replica);
        }

        return entry.Primary is { } primary && entry.InSync.Items.Contains(_self!.Value)
            ? FindTakeover(replica, primary, now)
            : null;
    }

    private Wish? FindTakeover(ModelReplica replica, NodeSlot primary, Moment now)
    {
        var others = replica.Entry.InSync.Items.Where(slot => slot != primary).TakeWhile(slot => slot != _self).Count();
        var wait = leases.IsDead(primary) ? TimeSpan.Zero : times.Grace;
        var since = leases.IsDead(primary)
            ? replica.LearnedAt
            : Math.Max(leases.HeardAt(primary), replica.LearnedAt);
        return now.Ticks - since >= (wait + (others * times.Beacon)).Ticks
            ? replica.Want(PartitionChange.TakeOver, _self!.Value)
            : null;
    }

    private Wish? FindShrink(ModelReplica replica, Moment now)
    {
        var inSync = replica.Entry.InSync;
        for (var index = 0; index < inSync.Count; index++)
        {
            var member = inSync[index];
            if (member == _self)
                continue;
            var learned = Math.Max(replica.LearnedAt, leases.StartedAt) + times.Lease.Ticks;
            if (leases.IsDead(member) || now.Ticks >= Math.Max(leases.LeaseEnd(member, replica.Id), learned))
                return replica.Want(PartitionChange.Shrink, member);
        }

        return null;
    }

    private Wish? FindMove(ModelReplica replica, MovePermit moves, Moment now) =>
        moves == MovePermit.Begin && replica.Entry.Next is { } next && replica.Entry.InSync.Items.Contains(next) && IsHeard(next, now)
            ? replica.Want(PartitionChange.PlannedMove, next)
            : null;

    private Wish? FindJoin(ModelReplica replica, Moment now)
    {
        if (replica.Entry.Joining is not { } joining)
            return null;
        var hasAnswered = leases.HeardAt(joining) > replica.CopyBegunAt;
        if (now.Ticks >= replica.CopiedAt && replica.Entry.HasPlace && hasAnswered && IsHeard(joining, now))
            return replica.Want(PartitionChange.Join, joining);
        var isStalled = leases.IsDead(joining)
            || (!IsHeard(joining, now) && now.Ticks >= replica.LearnedAt + times.CopyStall.Ticks);
        return isStalled ? replica.Want(PartitionChange.Target, joining) : null;
    }

    private Wish? FindLeave(ModelReplica replica) =>
        replica.Entry is { Joining: null, Leaving: { } leaving, InSync.Count: > 1 } && leaving != _self
            ? replica.Want(PartitionChange.Shrink, leaving)
            : null;

    private bool IsHeard(NodeSlot member, Moment now) =>
        !leases.IsDead(member) && now.Ticks - leases.HeardAt(member) < times.Lease.Ticks;

    /// <summary>One partition that the node has a role in.</summary>
    private sealed class ModelReplica(PartitionId id)
    {
        public PartitionId Id { get; } = id;

        public PartitionEntry Entry { get; set; } = PartitionEntry.Unowned;

        public long LearnedAt { get; set; }

        public long RefusedEpoch { get; set; }

        /// <summary>When the copy to the joining member began. A dead member is watched from then on, and not heard.
        /// </summary>
        public long CopyBegunAt { get; set; }

        /// <summary>When the copy to the joining member ends.</summary>
        public long CopiedAt { get; set; } = long.MaxValue;

        /// <summary>The table for which a wish was proposed; the largest number: none is.</summary>
        public long PendingVersion { get; set; } = long.MaxValue;

        public Wish Want(PartitionChange change, NodeSlot member) => new(Id, change, member, Entry.Epoch.Value);
    }
}
