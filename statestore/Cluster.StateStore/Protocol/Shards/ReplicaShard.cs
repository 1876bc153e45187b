using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Appending;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Copying;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Restoring;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Shards;

/// <summary>Some of a node's partitions with their logs: a pure state machine. One caller at a time; each call leaves
/// in <see cref="Effects"/> what the shell is to do. Members are named by their slots of the table that the shard
/// knows; the shell translates. See <c>docs/formats/state-protocol.md</c>.</summary>
internal sealed class ReplicaShard : INodeShard
{
    private readonly ShardContext _context;
    private readonly Commits _commits;
    private readonly AppendSender _sender;
    private readonly AppendReceiver _receiver;
    private readonly StaleReads _staleReads;
    private readonly CopySender _copies;
    private readonly CopyReceiver _incoming;
    private readonly Roles _roles;
    private readonly Writes _writes;
    private readonly Wishes _wishes;
    private readonly Expiry _expiry;
    private readonly Func<PartitionId, Replica?> _find;
    private Replica?[] _replicas = [];
    private ImmutableArray<Replica> _own = [];
    private long _tableVersion;
    private long _tickedAt;

    /// <summary>Makes a shard that holds nothing.</summary>
    /// <param name="options">The sizes and times.</param>
    /// <param name="records">The committed records.</param>
    /// <param name="leases">What is known about the peers.</param>
    public ReplicaShard(ShardOptions options, IRecords records, ILeases leases)
    {
        _context = new ShardContext(options, records, leases);
        _commits = new Commits(_context);
        _sender = new AppendSender(_context);
        _receiver = new AppendReceiver(_context, _commits);
        _copies = new CopySender(_context, _sender);
        _incoming = new CopyReceiver(_context);
        _staleReads = new StaleReads(_context, _commits);
        _roles = new Roles(_context, _commits, _sender, _copies, _incoming);
        _writes = new Writes(_context, _commits, _sender);
        _wishes = new Wishes(_context);
        _expiry = new Expiry(_context, _writes);
        _find = Find;
        Grow(options.PartitionCount);
    }

    /// <summary>What the shell is to do after a call.</summary>
    public Effects Effects => _context.Effects;

    /// <summary>What the shard has refused or repeated.</summary>
    public ProtocolCounters Counters => _context.Counters;

    /// <summary>How many copies are sent, and about how many bytes are left to send.</summary>
    public (int Count, long Bytes) CopiesLeft => _copies.Left;

    /// <summary>The partitions of the shard.</summary>
    public IReadOnlyList<Replica> Replicas => _own;

    /// <summary>Whether the node holds nothing of the partitions of the shard.</summary>
    public bool IsEmpty => _own.All(replica => replica.Phase is Phase.Absent or Phase.Kept);

    /// <summary>Whether <see cref="Tick"/> is needed soon, and not only with the next beacon.</summary>
    public bool NeedsTick => _sender.IsBusy || _own.Any(replica =>
        replica.Phase is Phase.Dropping or Phase.Copying
        || replica.ClosedSince is not null
        || replica.Freshness.Waiting.Count > 0
        || (replica.Phase == Phase.Serving && replica.ExpiryAt <= _tickedAt));

    /// <summary>Returns the newest table version that a frame has told, and forgets it; zero: none.</summary>
    public long TakeHint()
    {
        var version = Effects.HintedVersion;
        Effects.HintedVersion = 0;
        return version;
    }

    /// <summary>Returns a replica, or null for a partition of another shard or of none.</summary>
    public Replica? Find(PartitionId partition) =>
        (uint)partition.Value < (uint)_replicas.Length ? _replicas[partition.Value] : null;

    /// <summary>Applies a table that the store has confirmed.</summary>
    /// <param name="table">The table.</param>
    /// <param name="self">This node's slot in it; null: it is not a member.</param>
    /// <param name="now">The moment.</param>
    public void Apply(ClusterTable table, NodeSlot? self, Moment now)
    {
        _tableVersion = table.Version;
        _context.Self = self;
        _context.MemberSince ??= self is null ? null : now.Ticks;
        _context.ProtocolOf = slot => table.FindMember(slot)?.Protocol ?? ProtocolVersion.First;
        Grow(table.Partitions.Length);
        foreach (var replica in _own)
        {
            replica.WantsBackups = table.BackupsOf(replica.Id) > 0;
            _roles.Changed(replica, table[replica.Id], table.Version, now);
        }

        _roles.FindLost(table, _own);
        _sender.Keep(table);
        _sender.Flush(now, _own);
    }

    /// <summary>Does what is due.</summary>
    public void Tick(Moment now)
    {
        _tickedAt = now.Ticks;
        foreach (var replica in _own)
        {
            if (_context.Has(Mutant.OwnViewOfHealth))
                ServeByOwnView(replica, now);
            _roles.Tick(replica, now);
            _expiry.Tick(replica, now);
            _commits.Advance(replica, now);
            _writes.GiveUp(replica, now);
            _sender.Confirmations.GiveUp(replica, now);
            _staleReads.Tick(replica, now);
            if (replica.IsPrimary)
                _sender.TellCommit(replica, now);
            if (_context.Log.Keeps)
                Commits.Trim(replica);
        }

        _sender.Flush(now, _own);
    }

    /// <summary>Handles a write.</summary>
    /// <returns>The answer; null: it comes as an effect.</returns>
    public WriteAnswer? Write(in WriteRequest request, object operation, Moment now)
    {
        if (Find(request.Partition) is not { } replica)
            return new WriteAnswer(WriteOutcome.Moved);
        var answer = _writes.Write(replica, request, operation, now);
        _sender.TellCommit(replica, now);
        _sender.Flush(now, _own);
        return answer;
    }

    /// <summary>Reads what is committed.</summary>
    public ReadAnswer Read(PartitionId partition, in StateKey key, Moment now)
    {
        if (Find(partition) is not { IsPrimary: true } replica)
            return new ReadAnswer(WriteOutcome.Moved, false, default);
        var isOpen = replica.Phase == Phase.Serving
            && !(_context.Has(Mutant.SealBeforeCopy) && replica.ClosedSince is not null);
        isOpen |= replica.Phase == Phase.Sealed && _context.Has(Mutant.ReadWhileSealed);
        if (!isOpen || !_context.HasLease(replica, now.Ticks))
            return new ReadAnswer(WriteOutcome.Busy, false, default);
        var exists = _context.Records.TryFind(partition, key, out var record)
            && !record.IsOver(Writes.TimeOf(replica, now));
        return new ReadAnswer(WriteOutcome.Done, exists, exists ? record : default);
    }

    /// <summary>Reads what a backup has committed, or the primary. Call it when <see cref="Refresh"/> has ended well.
    /// </summary>
    public ReadAnswer ReadStale(PartitionId partition, in StateKey key, TimeSpan maxAge, Moment now)
    {
        if (Find(partition) is not { Phase: Phase.InSync } replica)
            return Read(partition, key, now);
        if (!replica.Freshness.IsWithin(maxAge.Ticks, now.Ticks, _context.Leases.StartedAt))
            return new ReadAnswer(WriteOutcome.Busy, false, default);
        var exists = _context.Records.TryFind(partition, key, out var record)
            && !record.IsOver(replica.Clock.Latest);
        return new ReadAnswer(WriteOutcome.Done, exists, exists ? record : default);
    }

    /// <summary>Finds out whether a strict read may be answered.</summary>
    /// <returns>Done, moved or busy; null: it comes as an effect.</returns>
    public WriteOutcome? Confirm(PartitionId partition, object operation, Moment now)
    {
        if (Find(partition) is not { } replica)
            return WriteOutcome.Moved;
        var outcome = _sender.Confirmations.Ask(replica, operation, now);
        _sender.Flush(now, _own);
        return outcome;
    }

    /// <summary>Finds out whether a read may be answered that accepts a content of an age.</summary>
    /// <returns>Done, moved or busy; null: it comes as an effect.</returns>
    public WriteOutcome? Refresh(PartitionId partition, TimeSpan maxAge, object operation, Moment now) =>
        Find(partition) is { } replica ? _staleReads.Ask(replica, maxAge, operation, now) : WriteOutcome.Moved;

    /// <summary>Reads the newest state of a key, committed or not, for an operation that a write with the same version
    /// will end.</summary>
    /// <returns>Null if the partition takes no writes now.</returns>
    public Head? ReadHead(PartitionId partition, in StateKey key, Moment now) =>
        Find(partition) is { } replica && _writes.Refusal(replica, now) is null
            ? _writes.FindHeadWithValue(replica, key, Writes.TimeOf(replica, now))
            : null;

    /// <summary>Returns what a partition contains.</summary>
    public PartitionSums SumsOf(PartitionId partition) => _context.Records.SumsOf(partition);

    /// <summary>Returns the time of a partition that is here, with which an expiry is computed; zero for
    /// others.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="ticks">The monotonic clock.</param>
    public long TimeOf(PartitionId partition, long ticks) => Find(partition)?.Clock.At(ticks) ?? 0;

    /// <summary>Returns the partition time as a backup knows it.</summary>
    public long BackupTimeOf(PartitionId partition) => Find(partition)?.Clock.Latest ?? 0;

    /// <summary>Handles entries of a primary.</summary>
    public void Appended(NodeSlot from, AppendFrame frame, Moment now) =>
        _receiver.Receive(from, frame, now, _find, _tableVersion);

    /// <summary>Handles the answer of a backup.</summary>
    public void Acked(NodeSlot from, AckFrame frame, Moment now)
    {
        if (frame.TableVersion > _tableVersion)
            Effects.Hint(frame.TableVersion);
        _sender.Acked(from, frame, now, _find);
        foreach (var item in frame.Items)
        {
            if (Find(item.Partition) is not { IsPrimary: true } replica)
                continue;
            var isClaim = item.Verdict == AppendVerdict.OtherEpoch && frame.TableVersion > _tableVersion;
            if (isClaim && _context.Has(Mutant.SealOnClaim))
                replica.Phase = Phase.Sealed;
            _sender.Confirmations.Acked(replica, from, item, frame.Number, now);
            _commits.Advance(replica, now);
            _sender.TellCommit(replica, now);
        }

        _sender.Flush(now, _own);
    }

    /// <summary>Handles the question of a backup how far this node has committed.</summary>
    public void CommitAsked(NodeSlot from, CommitAsk ask, Moment now)
    {
        if (Find(ask.Partition) is { } replica)
            _staleReads.Asked(from, replica, ask, now);
        else
            Counters.Malformed++;
    }

    /// <summary>Handles the answer of a primary how far it has committed.</summary>
    public void CommitTold(NodeSlot from, CommitTold told, Moment now)
    {
        if (Find(told.Ask.Partition) is { } replica)
            _staleReads.Told(from, replica, told, now);
        else
            Counters.Malformed++;
    }

    /// <summary>Handles the question of a target for a copy.</summary>
    public void CopyAsked(NodeSlot from, CopyAsk ask, Moment now)
    {
        if (Find(ask.Partition) is { } replica)
            _copies.Asked(from, replica, ask, now);
        else
            Counters.Malformed++;
    }

    /// <summary>Handles a part of a copy.</summary>
    public void ChunkArrived(NodeSlot from, CopyChunk chunk, Moment now)
    {
        if (Find(chunk.Ask.Partition) is not { } replica)
            Counters.Malformed++;
        else if (!_incoming.Receive(from, replica, chunk, now))
            _roles.Drop(replica);
    }

    /// <summary>Handles the answer to a part of a copy.</summary>
    public void ChunkAcked(NodeSlot from, CopyAck ack, Moment now)
    {
        if (Find(ack.Ask.Partition) is not { } replica)
        {
            Counters.Malformed++;
            return;
        }

        _copies.Acked(from, replica, ack, now);
        _sender.Flush(now, _own);
    }

    /// <summary>Begins to read a partition for a snapshot.</summary>
    /// <returns>Null: the node does not have all that is committed of the partition.</returns>
    public SnapshotScan? BeginSnapshot(PartitionId partition) =>
        Find(partition) is { } replica ? SnapshotScan.Begin(replica, _context.Records) : null;

    /// <summary>Learns what snapshot of a lost partition there is.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="epoch">The epoch of the loss.</param>
    /// <param name="mark">Up to which entry the snapshot has everything; zero: there is none.</param>
    public void SnapshotFound(PartitionId partition, long epoch, EntryId mark)
    {
        if (Find(partition) is { } replica)
            Restorer.Found(replica, epoch, mark);
    }

    /// <summary>Takes a part of a snapshot.</summary>
    /// <returns>False: no more is wanted, or there is no room.</returns>
    public bool Load(PartitionId partition, long epoch, in SnapshotContent content) =>
        Find(partition) is { } replica && _roles.Load(replica, epoch, content);

    /// <summary>Ends the load of a snapshot.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="epoch">The epoch of the loss.</param>
    /// <param name="mark">What was loaded; null: not everything, so that the partition begins empty.</param>
    /// <param name="now">The moment.</param>
    /// <returns>False: the load was not under way any more.</returns>
    public bool EndLoad(PartitionId partition, long epoch, SnapshotMark? mark, Moment now) =>
        Find(partition) is { } replica && _roles.EndLoad(replica, epoch, mark, now);

    /// <summary>Adds the changes of the table that the shard wants.</summary>
    /// <param name="into">The list.</param>
    /// <param name="moves">What may be done about planned moves now.</param>
    /// <param name="now">The moment.</param>
    public void CollectWishes(List<Wish> into, MovePermit moves, Moment now)
    {
        foreach (var replica in _own)
        {
            if (_wishes.Find(replica, now, moves, _own) is { } wish)
                into.Add(wish);
        }
    }

    /// <summary>Sends all operations that wait back to their callers, because the process ends.</summary>
    public void Stop()
    {
        foreach (var replica in _own)
        {
            _sender.Confirmations.Cancel(replica, WriteOutcome.Busy);
            _staleReads.Cancel(replica, WriteOutcome.Busy);
            while (replica.Waiting.TryDequeue(out var waiting, out _))
                Effects.Complete(waiting.Operation, new WriteAnswer(WriteOutcome.Busy));
        }
    }

    /// <summary>Marks a wish as proposed; the first table after the version tells its outcome.</summary>
    public void Proposed(Wish wish, long version)
    {
        if (Find(wish.Partition) is { } replica)
            Wishes.Proposed(replica, wish, version);
    }

    /// <summary>Adds the partitions for which this node promises a primary nothing: those that it wants to take over,
    /// and those whose primary changed after the table that the primary knows.</summary>
    public void CollectExclusions(NodeSlot primary, long tableVersion, ImmutableArray<PartitionId>.Builder into)
    {
        foreach (var replica in _own)
        {
            var isRefused = replica.RefusedEpoch == replica.Entry.Epoch.Value
                && replica.RefusedEpoch != 0
                && !_context.Has(Mutant.AcknowledgeAfterTakeover);
            if ((isRefused && replica.Entry.Primary == primary) || replica.PrimaryVersion > tableVersion)
                into.Add(replica.Id);
        }
    }

    /// <summary>Whether the partition is served: this node is its primary and its lease lasts.</summary>
    public bool IsServing(Replica replica, Moment now) =>
        replica.Phase == Phase.Serving && _context.HasLease(replica, now.Ticks);

    /// <summary>Returns until when a partition may be read without the shard's lock, if nothing changes;
    /// <see cref="long.MinValue"/>: it may not.</summary>
    public long ServedUntil(Replica replica) =>
        replica.Phase == Phase.Serving ? _context.LeaseEnd(replica) : long.MinValue;

    /// <summary>Returns the moment of which a backup is known to have all; zero: none is known.</summary>
    public long FreshAt(Replica replica) =>
        replica is { Phase: Phase.InSync, Freshness.At: { } at } && at >= _context.Leases.StartedAt ? at : 0;

    // More partitions come when a set of them begins.
    private void Grow(int partitionCount)
    {
        var known = _replicas.Length;
        if (partitionCount <= known)
            return;
        Array.Resize(ref _replicas, partitionCount);
        for (var index = known; index < partitionCount; index++)
        {
            if (index % _context.Options.ShardCount == _context.Options.Shard)
            {
                var replica = new Replica(new PartitionId(index), _context.Log);
                _roles.Attach(replica);
                _replicas[index] = replica;
            }
        }

        _own = [.. _replicas.OfType<Replica>()];
    }

    private void ServeByOwnView(Replica replica, Moment now)
    {
        if (replica.Phase == Phase.InSync
            && replica.Entry.Primary is { } primary
            && now.Ticks - _context.Leases.HeardAt(primary) > _context.Times.Append.Ticks
            && replica.Entry.InSync.Items.First(slot => slot != primary) == _context.Self)
            _roles.Promote(replica, now);
    }
}
