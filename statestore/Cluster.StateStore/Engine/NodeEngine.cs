using Cluster.StateStore.Engine.Feeds;
using Cluster.StateStore.Engine.Loads;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Peers;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Engine;

/// <summary>The replicated core of a node in a process: one lock around the pure state machines, a timer, and the order
/// in which their effects leave the lock. Reads of served partitions take no lock. Thread-safe.</summary>
internal sealed class NodeEngine : IDisposable
{
    private readonly Lock _lock = new();
    private readonly EngineOptions _options;
    private readonly INodeEnvironment _environment;
    private readonly PartitionHash _hash;
    private readonly ReplicaShard _shard;
    private readonly PeerBook _peers;
    private readonly NodeCore _node;
    private readonly ReadGates _gates;
    private readonly GatedReads _reads;
    private readonly FeedHub _feeds = new();
    private readonly LayoutCourier _layouts;
    private readonly LoadDesk _loads = new();
    private readonly FormatWriter _writer = new(capacity: 4_096);
    private readonly ITimer _timer;
    private long _refusedFrames;
    private long _wakesAt = long.MaxValue;
    private volatile bool _isStarted;
    private bool _isClosed;
    private bool _isOver;

    private delegate WriteAnswer? Beginning<TState>(
        NodeEngine engine, in TState state, PendingWrite pending, Moment now);

    /// <summary>Makes an engine that does nothing before <see cref="Start"/>, and that takes no table, no frame and no
    /// goal before.</summary>
    /// <param name="options">What it is made of.</param>
    /// <param name="environment">The process around it.</param>
    public NodeEngine(EngineOptions options, INodeEnvironment environment)
    {
        (_options, _environment, _hash) = (options, environment, options.Hash);
        _peers = new PeerBook(options.Node.Times, Mutant.None);
        var shard = options.Shard with { Changes = _feeds };
        _shard = new ReplicaShard(shard, new PileRecords(options.Hash, options.Tables), _peers);
        _layouts = new LayoutCourier(options, environment);
        _gates = new ReadGates(options.Hash.PartitionCountMax);
        _reads = new GatedReads(options, _gates, _shard);
        _node = new NodeCore(options.Node, _peers, [_shard], Now);
        _timer = options.Time.CreateTimer(
            static engine => ((NodeEngine)engine!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The newest table that the store has confirmed; null before the first one.</summary>
    public ClusterTable? Table
    {
        get
        {
            lock (_lock)
                return _node.Table;
        }
    }

    /// <summary>Frames that were no frames, not for this life, of strangers, or with keys of other
    /// partitions.</summary>
    public long RefusedFrames => Interlocked.Read(ref _refusedFrames);

    private Guid Incarnation => _options.Node.Member.Node.Incarnation;

    private long Monotonic => _options.Time.GetElapsedTime(0, _options.Time.GetTimestamp()).Ticks;

    private long Utc => _options.Time.GetUtcNow().UtcTicks;

    private Moment Now => new(Monotonic, Utc);

    /// <summary>Begins to join the cluster, and to follow its table.</summary>
    public void Start()
    {
        _isStarted = true;
        Tick();
    }

    /// <summary>Handles a frame. Bytes that are no frame of the expected kind are counted and dropped.</summary>
    /// <param name="bytes">The frame.</param>
    /// <param name="isBeacon">Whether it came where beacons and their acknowledgements come, and nothing
    /// else.</param>
    public void Receive(ReadOnlyMemory<byte> bytes, bool isBeacon)
    {
        if (!_isStarted)
            return;
        FrameHeader header;
        object frame;
        try
        {
            (header, frame) = FrameCodec.Read(bytes, _hash.PartitionCountMax);
        }
        catch (StateFormatException)
        {
            Interlocked.Increment(ref _refusedFrames);
            return;
        }

        if (header.Cluster != _hash.ClusterId
            || header.Receiver != Incarnation
            || (frame is Beacon or BeaconAck) != isBeacon
            || !FrameKeys.AreInPlace(frame, _hash))
            Interlocked.Increment(ref _refusedFrames);
        else if (frame is not LayoutsFrame layouts)
            Run((header.Sender, frame), static (engine, state, now) => engine.Receive(state.Sender, state.frame, now));
        else if (_layouts.Unpack(layouts, header.Sender, Table) is { } inner)
            Receive(inner, isBeacon: false);
        else
            Interlocked.Increment(ref _refusedFrames);
    }

    /// <summary>Takes a table that the store has shown.</summary>
    public void TableRead(ClusterTable table, Guid clusterId) => RunNode(
        (table, clusterId), static (engine, state, now) => engine._node.TableRead(state.table, state.clusterId, now));

    /// <summary>Takes the outcome of a proposal to the store.</summary>
    public void SwapEnded(Guid nonce, SwapResult result) =>
        RunNode((nonce, result), static (engine, state, now) => engine._node.SwapEnded(state.nonce, state.result, now));

    /// <summary>Learns who has the role of the coordinator; null: another node.</summary>
    public void CoordinatorKnown(NodeId? holder) =>
        RunNode(holder, static (engine, state, now) => engine._node.CoordinatorKnown(state, now));

    /// <summary>Learns that a life has ended for certain.</summary>
    public void DeathProven(NodeId node, string proof) =>
        RunNode((node, proof), static (engine, state, now) => engine._node.DeathProven(state.node, state.proof, now));

    /// <summary>Begins to become what the node shall be in the member list.</summary>
    public void Aim(MemberGoal goal) =>
        RunNode(goal, static (engine, state, now) => engine._node.Aim(state, now));

    /// <summary>Answers no operation from now on. The node still takes part in the protocol.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            SetGates();
        }
    }

    /// <summary>Writes. The memory of the request is used during the call alone.</summary>
    /// <returns>The answer; it comes when the write is committed.</returns>
    public ValueTask<WriteAnswer> WriteAsync(in WriteRequest request)
    {
        var answer = BeginAsync(
            request,
            static (NodeEngine engine, in WriteRequest write, PendingWrite pending, Moment now) =>
            {
                if (!engine._loads.Admits(write.Key, write.LoadToken, now))
                    return new WriteAnswer(WriteOutcome.Conflict);
                var answer = engine._shard.Write(write, pending, now);
                if (write.Kind != EntryKind.Touch && answer is not { Outcome: not WriteOutcome.Done })
                    engine._loads.End(write.Key, token: 0);
                return answer;
            });
        return answer.IsCompleted || request.Request is not null ? answer : OutcomeOfUnnamedAsync(answer);
    }

    /// <summary>Reads a record. Takes the engine's lock only where the partition is not served.</summary>
    /// <param name="key">The key.</param>
    /// <param name="partition">Its partition.</param>
    /// <param name="into">Gets stamp and value, if they fit.</param>
    /// <param name="length">The bytes of both; zero without a record. If it is larger than the memory, nothing was
    /// copied.</param>
    /// <returns>Done, moved or busy.</returns>
    public WriteOutcome Read(in HashedKey key, PartitionId partition, Span<byte> into, out int length) =>
        _reads.TryRead(key, partition, into, out length) ? WriteOutcome.Done : WhyClosed(partition);

    /// <summary>Reads a record that may be old, of a backup or of the primary, as <see cref="Read"/> does. It never
    /// waits: where nothing here is new enough, <see cref="RefreshAsync"/> helps.</summary>
    public WriteOutcome ReadStale(
        in HashedKey key, PartitionId partition, TimeSpan maxAge, Span<byte> into, out int length) =>
        _reads.TryReadStale(key, partition, maxAge, into, out length)
            ? WriteOutcome.Done
            : Read(key, partition, into, out length);

    /// <summary>Waits until all nodes with a copy have confirmed that this node is the primary, so that a read that
    /// follows is right whatever clocks say.</summary>
    /// <returns>Done, moved or busy.</returns>
    public ValueTask<WriteOutcome> ConfirmAsync(PartitionId partition) => OutcomeOfAsync(BeginAsync(
        partition,
        static (NodeEngine engine, in PartitionId partition, PendingWrite pending, Moment now) =>
            AnswerOf(engine._shard.Confirm(partition, pending, now))));

    /// <summary>Waits until the content of a backup is known to be of an age at most.</summary>
    /// <returns>Done, moved or busy.</returns>
    public ValueTask<WriteOutcome> RefreshAsync(PartitionId partition, TimeSpan maxAge) => OutcomeOfAsync(BeginAsync(
        (Partition: partition, MaxAge: maxAge),
        static (NodeEngine engine, in (PartitionId Partition, TimeSpan MaxAge) read, PendingWrite pending,
            Moment now) => AnswerOf(engine._shard.Refresh(read.Partition, read.MaxAge, pending, now))));

    /// <summary>Reads the next records of one state in a partition. Takes the engine's lock only for their number, and
    /// where the partition is not served.</summary>
    /// <param name="target">State, partition and place.</param>
    /// <param name="cursor">Where the next part begins; zero at the end.</param>
    /// <param name="records">The records.</param>
    /// <returns>Done, moved or busy.</returns>
    public WriteOutcome Scan(in ScanTarget target, out ulong cursor, out IReadOnlyCollection<RecordImage> records) =>
        _reads.TryScan(
            target, Look(target.Partition, static (parts, id) => parts.Shard.SumsOf(id).Count), out cursor, out records)
            ? WriteOutcome.Done
            : WhyClosed(target.Partition);

    /// <summary>Whether the newest state of a key may be uncommitted. A hint: it may be out of date.</summary>
    public bool IsReplicated(PartitionId partition) => _gates.IsReplicated(partition);

    /// <summary>Reads the newest state of a key, for an operation that a write with the same version will end. The
    /// caller disposes the copy.</summary>
    /// <returns>Null if the partition takes no writes now.</returns>
    public HeadCopy? ReadHead(PartitionId partition, in StateKey key)
    {
        lock (_lock)
        {
            var now = Now;
            return !_isOver && !_isClosed && _shard.ReadHead(partition, key, now) is { } head
                ? HeadCopy.Of(head, _shard.TimeOf(partition, now.Ticks))
                : null;
        }
    }

    /// <summary>Whether another node has not been heard for a while. Takes no lock.</summary>
    public bool IsSuspected(NodeId node) => _peers.IsSuspected(node, Monotonic);

    /// <summary>Returns the partition time, in ticks of UTC.</summary>
    public long TimeOf(PartitionId partition) => _reads.TimeOf(partition);

    /// <summary>Whether this node is the primary of a partition.</summary>
    public bool IsPrimary(PartitionId partition)
    {
        lock (_lock)
            return _shard.Find(partition) is { IsPrimary: true };
    }

    /// <summary>Looks at the parts under the engine's lock. Nothing may be changed that causes effects.</summary>
    public TResult Look<TState, TResult>(TState state, Func<EngineParts, TState, TResult> look)
    {
        lock (_lock)
            return look(new EngineParts(_shard, _feeds, _loads, !_isOver && !_isClosed, Now), state);
    }

    /// <summary>Changes the partitions under the engine's lock, and does what follows from it.</summary>
    /// <returns>What the change returns; the default after the engine has stopped.</returns>
    public TResult? Change<TState, TResult>(TState state, Func<ReplicaShard, TState, Moment, TResult> change)
    {
        var result = new StrongBox<TResult?>();
        RunNode((state, change, result), static (engine, all, now) =>
            all.result.Value = all.change(engine._shard, all.state, now));
        return result.Value;
    }

    /// <summary>Stops. Writes that wait are answered as busy, and so are later calls.</summary>
    public void Dispose()
    {
        Run(0, static (engine, _, _) =>
        {
            engine._isOver = true;
            engine._shard.Stop();
            engine.SetGates();
        });
        _timer.Dispose();
    }

    // A write without an identity cannot be repeated: while it waited, a backup may have taken it.
    private static async ValueTask<WriteAnswer> OutcomeOfUnnamedAsync(ValueTask<WriteAnswer> waiting)
    {
        var answer = await waiting.ConfigureAwait(false);
        return answer.Outcome is WriteOutcome.Moved or WriteOutcome.Busy
            ? new WriteAnswer(WriteOutcome.Unknown)
            : answer;
    }

    private WriteOutcome WhyClosed(PartitionId partition) =>
        IsPrimary(partition) ? WriteOutcome.Busy : WriteOutcome.Moved;

    private static async ValueTask<WriteOutcome> OutcomeOfAsync(ValueTask<WriteAnswer> answer) =>
        (await answer.ConfigureAwait(false)).Outcome;

    private static WriteAnswer? AnswerOf(WriteOutcome? outcome) =>
        outcome is { } known ? new WriteAnswer(known) : null;

    // Begins an operation. Its answer is there at once, or the core completes it later.
    private ValueTask<WriteAnswer> BeginAsync<TState>(in TState state, Beginning<TState> begin)
    {
        var pending = PendingWrite.Rent();
        Outbox? outbox;
        WriteAnswer? answer;
        lock (_lock)
        {
            if (_isOver || _isClosed)
            {
                pending.Return();
                return new(new WriteAnswer(WriteOutcome.Busy));
            }

            try
            {
                var now = Now;
                answer = begin(this, state, pending, now);
                outbox = TakeEffects();
                if (answer is null)
                    SetTimer(now.Ticks + _options.Shard.Times.UrgentBatch.Ticks, now);
            }
            catch (Exception failure) when (failure is not OutOfMemoryException)
            {
                outbox = FailNeedsLock(failure, pending);
                answer = new WriteAnswer(WriteOutcome.Unknown);
            }
        }

        outbox?.Flush(_environment, _options);
        if (answer is not { } known)
            return pending.Task;
        pending.Return();
        return new(known);
    }

    private void Tick() => Run(0, static (engine, _, now) =>
    {
        engine._wakesAt = long.MaxValue;
        engine._node.Tick(now);
        engine._feeds.Tick(now);
        engine.SetGates();
    });

    private void Receive(Guid sender, object frame, Moment now)
    {
        if (frame is LayoutsKept kept)
        {
            _layouts.Acknowledged(sender, kept, _node.Table);
            return;
        }

        var from = frame is MemberAsk ask && ask.Member.Node.Incarnation == sender
            ? ask.Member.Node
            : _node.Table?.FindIncarnation(sender)?.Node ?? new NodeId("", sender);
        if (frame is not (AppendFrame or AckFrame or CommitAsk or CommitTold or CopyAsk or CopyChunk or CopyAck))
        {
            _node.Receive(from, frame, now);
            SetGates();
        }
        else if (_node.SlotOf(from) is { } slot)
            Receive(slot, frame, now);
        else
            Interlocked.Increment(ref _refusedFrames);
    }

    private void Receive(NodeSlot from, object frame, Moment now)
    {
        switch (frame)
        {
            case AppendFrame append:
                _shard.Appended(from, append, now);
                break;
            case AckFrame ack:
                _shard.Acked(from, ack, now);
                foreach (var item in ack.Items)
                {
                    if (_shard.Find(item.Partition) is { } replica)
                        SetGate(replica);
                }

                break;
            case CommitAsk ask:
                _shard.CommitAsked(from, ask, now);
                break;
            case CommitTold told:
                _shard.CommitTold(from, told, now);
                if (_shard.Find(told.Ask.Partition) is { } backup)
                    SetGate(backup);
                break;
            case CopyAsk ask:
                _shard.CopyAsked(from, ask, now);
                break;
            case CopyChunk chunk:
                _shard.ChunkArrived(from, chunk, now);
                break;
            case CopyAck ack:
                _shard.ChunkAcked(from, ack, now);
                break;
        }
    }

    // Leases and roles change only in calls of the node, so only these set all gates. A table would make a node join
    // that has not started.
    private void RunNode<TState>(TState state, Action<NodeEngine, TState, Moment> call)
    {
        if (!_isStarted)
            return;
        Run((state, call), static (engine, both, now) =>
        {
            both.call(engine, both.state, now);
            engine.SetGates();
        });
    }

    private void Run<TState>(TState state, Action<NodeEngine, TState, Moment> call)
    {
        Outbox? outbox;
        lock (_lock)
        {
            if (_isOver)
                return;
            try
            {
                var now = Now;
                call(this, state, now);
                if (_shard.Effects.HintedVersion is > 0 and var hinted)
                    _node.TableChanged(hinted, now);
                outbox = TakeEffects();
                SetTimer(_node.NextDeadline, now);
            }
            catch (Exception failure) when (failure is not OutOfMemoryException)
            {
                outbox = FailNeedsLock(failure, own: null);
            }
        }

        outbox?.Flush(_environment, _options);
    }

    // After an exception the state machines may contradict each other, so they answer nothing more. The leases of this
    // node end, and its backups take over.
    private Outbox FailNeedsLock(Exception failure, PendingWrite? own)
    {
        _isOver = true;
        SetGates();
        _shard.Stop();
        var outbox = new Outbox { Failure = failure };
        var operations = _shard.Effects.Completions.Select(completion => completion.Operation);
        outbox.TakeAsUnknown(operations.Where(operation => operation != own));
        _shard.Effects.Clear();
        _node.Effects.Clear();
        return outbox;
    }

    private Outbox? TakeEffects()
    {
        var (shard, node) = (_shard.Effects, _node.Effects);
        if (shard.IsEmpty && node.IsEmpty)
            return null;
        var outbox = new Outbox();
        foreach (var (to, frame) in shard.Messages)
        {
            if (_node.NodeOf(to) is { } receiver)
            {
                var layouts = _layouts.FindFor(receiver, frame, _node.Table);
                outbox.Add(receiver, HeaderTo(receiver), frame, layouts, _writer);
            }
        }

        foreach (var (to, frame) in node.Messages)
            outbox.Add(to, HeaderTo(to), frame, [], _writer);
        outbox.Take(shard);
        outbox.Take(node);
        shard.Clear();
        node.Clear();
        return outbox;
    }

    private void SetTimer(long deadline, Moment now)
    {
        if (_isOver || deadline >= _wakesAt)
            return;
        _wakesAt = deadline;
        var wait = Math.Max(0, deadline - now.Ticks);
        _timer.Change(TimeSpan.FromTicks(wait), Timeout.InfiniteTimeSpan);
    }

    private void SetGates()
    {
        foreach (var replica in _shard.Replicas)
            SetGate(replica);
    }

    private void SetGate(Replica replica)
    {
        var isShut = _isOver || _isClosed;
        _gates.Set(
            replica.Id, isShut ? long.MinValue : _shard.ServedUntil(replica), replica.Followers.Count > 0);
        _gates.SetFresh(replica.Id, isShut ? 0 : _shard.FreshAt(replica));
    }

    private FrameHeader HeaderTo(NodeId to) => new(_hash.ClusterId, Incarnation, to.Incarnation);
}
