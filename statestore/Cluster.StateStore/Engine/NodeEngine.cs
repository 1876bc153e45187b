using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Formats;
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
    private readonly IEngineWorld _world;
    private readonly PartitionHash _hash;
    private readonly ReplicaShard _shard;
    private readonly NodeCore _node;
    private readonly ReadGates _gates;
    private readonly FormatWriter _writer = new(capacity: 4_096);
    private readonly ITimer _timer;
    private long _refusedFrames;
    private long _wakesAt = long.MaxValue;
    private bool _isOver;

    /// <summary>Makes an engine that does nothing before <see cref="Start"/>.</summary>
    /// <param name="options">What it is made of.</param>
    /// <param name="world">The process around it.</param>
    public NodeEngine(EngineOptions options, IEngineWorld world)
    {
        (_options, _world, _hash) = (options, world, options.Hash);
        var peers = new PeerBook(options.Times, Mutant.None);
        var records = new PileRecords(options.Hash, options.Tables);
        var shard = new ShardOptions { PartitionCount = options.Hash.PartitionCount, Times = options.Times };
        _shard = new ReplicaShard(shard, records, peers);
        _gates = new ReadGates(options.Hash.PartitionCount);
        var node = new NodeOptions
        {
            Member = options.Member,
            ClusterId = options.Hash.ClusterId,
            NewGuid = Guid.NewGuid,
            Backups = options.Backups,
            Times = options.Times,
        };
        _node = new NodeCore(node, peers, [_shard], Now);
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

    /// <summary>Frames that were no frames, or not for this life.</summary>
    public long RefusedFrames => Interlocked.Read(ref _refusedFrames);

    private Moment Now => new(
        _options.Time.GetElapsedTime(0, _options.Time.GetTimestamp()).Ticks, _options.Time.GetUtcNow().UtcTicks);

    /// <summary>Begins to join the cluster, and to follow its table.</summary>
    public void Start() => Tick();

    /// <summary>Handles a frame. What is none is counted and dropped.</summary>
    public void Receive(ReadOnlyMemory<byte> bytes)
    {
        FrameHeader header;
        object frame;
        try
        {
            (header, frame) = FrameCodec.Read(bytes, _hash.PartitionCount);
        }
        catch (StateFormatException)
        {
            Interlocked.Increment(ref _refusedFrames);
            return;
        }

        if (header.Cluster != _hash.ClusterId || header.Receiver != _options.Member.Node.Incarnation)
            Interlocked.Increment(ref _refusedFrames);
        else
            Run((header.Sender, frame), static (engine, state, now) => engine.Receive(state.Sender, state.frame, now));
    }

    /// <summary>Takes a table that the store has shown.</summary>
    public void TableRead(ClusterTable table, Guid clusterId) => RunNode(
        (table, clusterId), static (engine, state, now) => engine._node.TableRead(state.table, state.clusterId, now));

    /// <summary>Reads the table if the store tells of a newer one.</summary>
    public void TableChanged(long version) =>
        RunNode(version, static (engine, state, now) => engine._node.TableChanged(state, now));

    /// <summary>Takes the outcome of a proposal to the store.</summary>
    public void SwapEnded(Guid nonce, SwapResult result) =>
        RunNode((nonce, result), static (engine, state, now) => engine._node.SwapEnded(state.nonce, state.result, now));

    /// <summary>Learns who has the role of the coordinator.</summary>
    public void CoordinatorKnown(NodeId holder) =>
        RunNode(holder, static (engine, state, now) => engine._node.CoordinatorKnown(state, now));

    /// <summary>Learns that a life has ended for certain.</summary>
    public void DeathProven(NodeId node) =>
        RunNode(node, static (engine, state, now) => engine._node.DeathProven(state, now));

    /// <summary>Begins to hand over what the node has, and to leave.</summary>
    public void Drain() => RunNode(0, static (engine, _, now) => engine._node.DrainAsked(now));

    /// <summary>Writes. The memory of the request is used during the call alone.</summary>
    /// <returns>The answer; it comes when the write is committed.</returns>
    public Task<WriteAnswer> WriteAsync(in WriteRequest request)
    {
        var pending = new PendingWrite();
        var isRun = Run(
            (request, pending), static (engine, state, now) => engine._shard.Write(state.request, state.pending, now));
        if (!isRun)
            pending.SetResult(new WriteAnswer(WriteOutcome.Busy));
        return pending.Task;
    }

    /// <summary>Reads a record. Takes the engine's lock only where the partition is not served.</summary>
    /// <param name="key">The key.</param>
    /// <param name="buffer">Gets stamp and value; replaced by a larger one if it is too short.</param>
    /// <param name="length">The bytes of both; zero without a record.</param>
    /// <returns>Done, moved or busy.</returns>
    public WriteOutcome Read(in StateKey key, ref byte[] buffer, out int length)
    {
        var hash = _hash.Hash(key.Bytes.Span);
        var partition = _hash.PartitionOf(hash);
        var table = _options.Tables[key.State];
        while (_gates.IsOpen(partition, Now.Ticks))
        {
            var isFound = table.TryRead(hash, key.Bytes.Span, buffer, out length);
            if (isFound && length > buffer.Length)
            {
                buffer = new byte[length];
                continue;
            }

            // The lease may have ended during the read, and with it the right to answer.
            if (!_gates.IsOpen(partition, Now.Ticks))
                break;
            length = isFound && IsAlive(partition, buffer) ? length : 0;
            return WriteOutcome.Done;
        }

        length = 0;
        lock (_lock)
            return _shard.Find(partition) is { IsPrimary: true } ? WriteOutcome.Busy : WriteOutcome.Moved;
    }

    /// <summary>Stops. Writes that wait are answered as busy, and so are later calls.</summary>
    public void Dispose()
    {
        Run(0, static (engine, _, _) =>
        {
            engine._isOver = true;
            engine._shard.Stop();
            foreach (var replica in engine._shard.Replicas)
                engine._gates.Set(replica.Id, long.MinValue);
        });
        _timer.Dispose();
    }

    private bool IsAlive(PartitionId partition, byte[] buffer)
    {
        var stamp = RecordStamp.Read(buffer);
        return stamp.Time == 0
            || (stamp.Time != PartitionTotals.Removed && stamp.Time > _shard.TimeOf(partition, Now));
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
                    SetGate(_shard.Find(item.Partition)!);
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

    // Leases and roles change only in calls of the node, so only these set all gates.
    private bool RunNode<TState>(TState state, Action<NodeEngine, TState, Moment> call) =>
        Run((state, call), static (engine, both, now) =>
        {
            both.call(engine, both.state, now);
            engine.SetGates();
        });

    private bool Run<TState>(TState state, Action<NodeEngine, TState, Moment> call)
    {
        Outbox outbox;
        lock (_lock)
        {
            if (_isOver)
                return false;
            call(this, state, Now);
            if (_shard.Effects.HintedVersion is > 0 and var hinted)
                _node.TableChanged(hinted, Now);
            outbox = new Outbox(_writer, HeaderTo);
            outbox.Take(_shard.Effects, _node.NodeOf);
            outbox.Take(_node.Effects);
            SetTimer();
        }

        outbox.Flush(_world);
        return true;
    }

    private void SetTimer()
    {
        if (_isOver || _node.NextDeadline >= _wakesAt)
            return;
        _wakesAt = _node.NextDeadline;
        var wait = Math.Max(0, _wakesAt - Now.Ticks);
        _timer.Change(TimeSpan.FromTicks(wait), Timeout.InfiniteTimeSpan);
    }

    private void SetGates()
    {
        foreach (var replica in _shard.Replicas)
            SetGate(replica);
    }

    private void SetGate(Replica replica) => _gates.Set(replica.Id, _shard.ServedUntil(replica));

    private FrameHeader HeaderTo(NodeId to) => new(_hash.ClusterId, _options.Member.Node.Incarnation, to.Incarnation);
}
