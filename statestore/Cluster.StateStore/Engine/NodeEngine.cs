using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
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
    private readonly NodeCore _node;
    private readonly ReadGates _gates;
    private readonly FormatWriter _writer = new(capacity: 4_096);
    private readonly ITimer _timer;
    private long _refusedFrames;
    private long _wakesAt = long.MaxValue;
    private volatile bool _isStarted;
    private bool _isClosed;
    private bool _isOver;

    /// <summary>Makes an engine that does nothing before <see cref="Start"/>, and that takes no table, no frame and no
    /// goal before.</summary>
    /// <param name="options">What it is made of.</param>
    /// <param name="environment">The process around it.</param>
    public NodeEngine(EngineOptions options, INodeEnvironment environment)
    {
        (_options, _environment, _hash) = (options, environment, options.Hash);
        var peers = new PeerBook(options.Node.Times, Mutant.None);
        _shard = new ReplicaShard(options.Shard, new PileRecords(options.Hash, options.Tables), peers);
        _gates = new ReadGates(options.Hash.PartitionCountMax);
        _node = new NodeCore(options.Node, peers, [_shard], Now);
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
        else
            Run((header.Sender, frame), static (engine, state, now) => engine.Receive(state.Sender, state.frame, now));
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
                answer = _shard.Write(request, pending, now);
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
            return request.Request is null ? OutcomeOfUnnamedAsync(pending.Task) : pending.Task;
        pending.Return();
        return new(known);
    }

    /// <summary>Reads a record. Takes the engine's lock only where the partition is not served.</summary>
    /// <param name="key">The key.</param>
    /// <param name="partition">Its partition.</param>
    /// <param name="into">Gets stamp and value, if they fit.</param>
    /// <param name="length">The bytes of both; zero without a record. If it is larger than the memory, nothing was
    /// copied.</param>
    /// <returns>Done, moved or busy.</returns>
    public WriteOutcome Read(in HashedKey key, PartitionId partition, Span<byte> into, out int length)
    {
        if (IsOpen(partition))
        {
            var table = _options.Tables[_hash.SetOf(partition), key.StateId];
            var isFound = table.TryRead(key.Hash, key.Bytes, into, out length);

            // The lease may have ended during the read, and with it the right to answer.
            if (IsOpen(partition))
            {
                length = isFound && (length > into.Length || IsAlive(partition, RecordStamp.Read(into))) ? length : 0;
                return WriteOutcome.Done;
            }
        }

        length = 0;
        return WhyClosed(partition);
    }

    /// <summary>Reads the next records of one state in a partition. Takes the engine's lock only for their number, and
    /// where the partition is not served.</summary>
    /// <param name="target">State, partition and place.</param>
    /// <param name="cursor">Where the next part begins; zero at the end.</param>
    /// <param name="records">The records.</param>
    /// <returns>Done, moved or busy.</returns>
    public WriteOutcome Scan(in ScanTarget target, out ulong cursor, out IReadOnlyCollection<RecordImage> records)
    {
        var partition = target.Partition;
        var table = _options.Tables[_hash.SetOf(partition), target.State];
        var scan = new PartitionScan(table, _hash, target.WithValues);
        cursor = 0;
        records = scan.Records;
        if (!IsOpen(partition))
            return WhyClosed(partition);
        cursor = scan.Read(partition, target.Cursor, CountOf(partition), stamp => !IsAlive(partition, stamp));
        return IsOpen(partition) ? WriteOutcome.Done : WhyClosed(partition);
    }

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
                ? HeadCopy.Of(head, _shard.TimeOf(partition, now.Utc))
                : null;
        }
    }

    /// <summary>Returns the partition time, in ticks of UTC.</summary>
    public long TimeOf(PartitionId partition) => _shard.TimeOf(partition, Utc);

    /// <summary>Whether this node is the primary of a partition.</summary>
    public bool IsPrimary(PartitionId partition)
    {
        lock (_lock)
            return _shard.Find(partition) is { IsPrimary: true };
    }

    /// <summary>Returns what the partitions contain whose primary this node is.</summary>
    public IReadOnlyList<PartitionStatistics> DescribePrimaries()
    {
        lock (_lock)
        {
            return
            [
                .. _shard.Replicas.Where(replica => replica.IsPrimary).Select(replica =>
                {
                    var sums = _shard.SumsOf(replica.Id);
                    return new PartitionStatistics(replica.Id, replica.Entry.Epoch, sums.Count, sums.Bytes);
                }),
            ];
        }
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

    // A lease without an end needs no clock.
    private bool IsOpen(PartitionId partition)
    {
        var until = _gates.UntilOf(partition);
        return until == long.MaxValue || Monotonic < until;
    }

    private bool IsAlive(PartitionId partition, in RecordStamp stamp) => stamp.Time == 0
        || (stamp.Time != PartitionTotals.Removed && !LifeEnd.IsOver(stamp.Time, TimeOf(partition)));

    private WriteOutcome WhyClosed(PartitionId partition) =>
        IsPrimary(partition) ? WriteOutcome.Busy : WriteOutcome.Moved;

    private long CountOf(PartitionId partition)
    {
        lock (_lock)
            return _shard.SumsOf(partition).Count;
    }

    private void Tick() => Run(0, static (engine, _, now) =>
    {
        engine._wakesAt = long.MaxValue;
        engine._node.Tick(now);
        engine.SetGates();
    });

    private void Receive(Guid sender, object frame, Moment now)
    {
        var from = frame is MemberAsk ask && ask.Member.Node.Incarnation == sender
            ? ask.Member.Node
            : _node.Table?.Members.FirstOrDefault(member => member.Node.Incarnation == sender)?.Node
                ?? new NodeId("", sender);
        if (frame is not (AppendFrame or AckFrame or CopyAsk or CopyChunk or CopyAck))
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
                outbox.Add(receiver, HeaderTo(receiver), frame, _writer);
        }

        foreach (var (to, frame) in node.Messages)
            outbox.Add(to, HeaderTo(to), frame, _writer);
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

    private void SetGate(Replica replica) => _gates.Set(
        replica.Id,
        _isOver || _isClosed ? long.MinValue : _shard.ServedUntil(replica),
        replica.Followers.Count > 0);

    private FrameHeader HeaderTo(NodeId to) => new(_hash.ClusterId, Incarnation, to.Incarnation);
}
