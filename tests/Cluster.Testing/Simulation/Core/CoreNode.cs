using Cluster.Contracts;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Peers;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;
using Cluster.StateStore.Protocol.Wire;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Nodes;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation.Core;

/// <summary>One life of a simulated node that runs the protocol of the cluster. It hands events to the core, and the
/// core's effects to the machine. Used by one thread.</summary>
internal sealed class CoreNode : INodeProgram, INodeReport
{
    private const int ShardCount = 2;

    private readonly SimulatedHost _host;
    private readonly SimulatedRecords _records;
    private readonly ImmutableArray<ReplicaShard> _shards;
    private readonly NodeCore _node;
    private readonly CoreRequests _requests;
    private readonly PeerBook _peers;
    private readonly long[] _counts;
    private readonly FormatWriter _frames = new(256);
    private readonly CoreSnapshots? _snapshots;
    private Guid _lastDirect;
    private bool _isReading;

    public CoreNode(
        SimulatedHost host,
        Mutant mutant,
        SimulatedPile? pile,
        bool isSparse = false,
        SimulatedDisks? disks = null,
        SimulatedFolder? folder = null)
    {
        _host = host;
        Disks = disks;
        _snapshots = disks is null ? null : new CoreSnapshots(host, disks, ShardOf);
        var times = new ProtocolTimes
        {
            SetAsideMax = TimeSpan.FromSeconds(4),
            KeepBase = TimeSpan.FromSeconds(15),
        };
        if (isSparse)
            times = times with { AllPairsMax = 0, Report = TimeSpan.FromSeconds(5) };
        _peers = new PeerBook(times, mutant);
        _counts = new long[host.Meta.PartitionCount];
        _records = folder?.Records ?? new SimulatedRecords(host.Meta.PartitionCount);
        var records = pile?.Open(host, _records) ?? _records;
        _shards =
        [
            .. Enumerable.Range(0, ShardCount).Select(shard => new ReplicaShard(
                new ShardOptions
                {
                    PartitionCount = host.Meta.PartitionCount,
                    Shard = shard,
                    ShardCount = ShardCount,
                    Times = times,
                    ChunkBytes = 2_048,
                    FrameBytes = 600,
                    CopyBytes = 60,
                    Mutant = mutant,
                    KeepsSnapshots = disks is not null,
                    Marks = folder,
                    LogBytesKept = folder is null ? 0 : 8_192,
                    RunAgain = RunAgain,
                },
                records,
                _peers)),
        ];
        var member = new ClusterMember(
            default, host.Node, host.Address, host.Address, default, MemberState.Active)
        {
            WantedBackups = new([(byte)host.Settings.Backups]),
            Protocol = ProtocolVersion.Current,
            KeepsSnapshots = disks is not null,
        };
        var options = new NodeOptions
        {
            Member = member,
            ClusterId = host.Meta.ClusterId,
            NewGuid = host.Random.NextGuid,
            Times = times,
            Mutant = mutant,
        };
        _node = new NodeCore(options, _peers, _shards, Now);
        _requests = new CoreRequests(host);
    }

    public long NextDeadline => Math.Max(
        Math.Min(_node.NextDeadline, _snapshots?.NextDeadline ?? long.MaxValue), _host.Now);

    public Guid AppliedClusterId => _node.TableClusterId;

    public long AppliedVersion => _node.Table?.Version ?? 0;

    /// <summary>The committed records.</summary>
    public SimulatedRecords Records => _records;

    /// <summary>The disks of the run; null: nodes save no snapshots.</summary>
    public SimulatedDisks? Disks { get; }

    /// <summary>What the shards of the node have counted.</summary>
    public IEnumerable<ProtocolCounters> Counters => _shards.Select(shard => shard.Counters);

    /// <summary>The node's core.</summary>
    public NodeCore Node => _node;

    /// <summary>The node's monotonic clock, in units of 100 ns.</summary>
    public long Clock => _host.Now;

    private Moment Now => new(_host.Now, _host.UtcNow.UtcTicks);

    /// <summary>Returns the node's replica of a partition.</summary>
    public Replica ReplicaOf(PartitionId partition) => ShardOf(partition).Find(partition)!;

    /// <summary>Returns whether the node serves a partition at this moment.</summary>
    public bool IsServing(PartitionId partition) => ShardOf(partition).IsServing(ReplicaOf(partition), Now);

    /// <summary>Returns whether the node knows that the life of a member has ended.</summary>
    public bool KnowsEnd(NodeSlot member) => _peers.IsDead(member);

    public ulong? DigestOf(PartitionId partition) =>
        IsInSync(partition) ? _records.LastingDigestOf(partition) : null;

    /// <summary>Returns whether the node has all that is committed of a partition.</summary>
    public bool IsInSync(PartitionId partition) =>
        ReplicaOf(partition).Phase is Phase.InSync or Phase.Promoting or Phase.Serving or Phase.Sealed;

    public void Start() => Tick();

    public void Tick()
    {
        _node.Tick(Now);
        _snapshots?.Step(Now);
        RunEffects();
    }

    public void Receive(in SimulatedMessage message)
    {
        var (header, frame) = FrameCodec.Read(message.Bytes, _host.Meta.PartitionCount);

        // A message that was sent before a crash can reach the next life, which must not take it.
        if (header.Receiver != _host.Node.Incarnation)
            return;
        if (!ReceiveByShard(message.Sender, frame))
            _node.Receive(message.Sender, frame, Now);
        RunEffects();
    }

    public void Requested(int client, ClientRequest request)
    {
        _node.TableChanged(0, Now);
        var shard = ShardOf(new PartitionId(request.Key.Partition));
        if (_requests.Handle(shard, client, request, Now) is { } reply)
        {
            CheckRead(request, reply);
            Reply(client, reply, request);
        }

        RunEffects();
    }

    public void TableRead(TableReading reading)
    {
        _isReading = false;
        if (reading.Table is not { } table)
            return;
        CountRecords();
        _node.TableRead(table, reading.ClusterId, Now);
        RunEffects();
    }

    public void TableChanged(long version)
    {
        _node.TableChanged(version, Now);
        RunEffects();
    }

    public void SwapEnded(Guid nonce, StoreSwapOutcome outcome)
    {
        var result = outcome switch
        {
            StoreSwapOutcome.Done => SwapResult.Done,
            StoreSwapOutcome.Conflict => SwapResult.Conflict,
            _ => SwapResult.Unknown,
        };
        CountRecords();
        _node.SwapEnded(nonce, result, Now);
        RunEffects();
    }

    public void CoordinatorAnswered(CoordinatorAnswer answer)
    {
        if (answer.IsAnswered)
            _node.CoordinatorKnown(answer.Holder, Now);
        RunEffects();
    }

    public void DeathProven(NodeId node)
    {
        _node.DeathProven(node, "the kernel says so", Now);
        RunEffects();
    }

    public void DrainAsked()
    {
        _node.Aim(MemberGoal.GoneWhenEmpty, Now);
        RunEffects();
    }

    private static ReadOnlyMemory<byte> RunAgain(
        StateStore.Protocol.Logs.LogEntry entry, StateStore.Protocol.Storage.RecordImage? record)
    {
        var value = StoredValue.Read(entry.Value.Span);
        return (value with { Salt = value.Salt + 1 }).ToBytes();
    }

    private ReplicaShard ShardOf(PartitionId partition) => _shards[partition.Value % ShardCount];

    private bool ReceiveByShard(NodeId from, object frame)
    {
        if (_node.SlotOf(from) is not { } slot)
            return frame is AppendFrame or AckFrame or CommitAsk or CommitTold or CopyAsk or CopyChunk or CopyAck;
        switch (frame)
        {
            case AppendFrame append:
                ShardOf(append.Items[0].Partition).Appended(slot, append, Now);
                return true;
            case AckFrame ack when ack.Items.Length > 0:
                ShardOf(ack.Items[0].Partition).Acked(slot, ack, Now);
                return true;
            case CommitAsk ask:
                ShardOf(ask.Partition).CommitAsked(slot, ask, Now);
                return true;
            case CommitTold told:
                ShardOf(told.Ask.Partition).CommitTold(slot, told, Now);
                return true;
            case CopyAsk ask:
                ShardOf(ask.Partition).CopyAsked(slot, ask, Now);
                return true;
            case CopyChunk chunk:
                ShardOf(chunk.Ask.Partition).ChunkArrived(slot, chunk, Now);
                return true;
            case CopyAck ack:
                ShardOf(ack.Ask.Partition).ChunkAcked(slot, ack, Now);
                return true;
            default:
                return false;
        }
    }

    private void RunEffects()
    {
        foreach (var shard in _shards)
            RunEffects(shard.Effects);
        var effects = _node.Effects;
        foreach (var (to, frame) in effects.Messages)
            Send(to, frame);
        foreach (var (successor, needsCoordinator) in effects.Swaps)
        {
            // A proposal that is made again was judged when it was made first.
            if (!needsCoordinator && successor.ProposerNonce != _lastDirect)
                CheckShrinks(successor);
            _lastDirect = successor.ProposerNonce;
            _host.Swap(successor, needsCoordinator);
        }

        foreach (var node in effects.Probes)
            _host.Probe(node);
        if (effects.ReadsTable && (!_isReading || effects.IsConsistent))
        {
            _isReading = true;
            _host.ReadTable(effects.IsConsistent);
        }

        if (effects.HoldsCoordinator)
        {
            _host.Beat();
            _host.HoldCoordinator();
        }

        if (effects.ReleasesCoordinator)
            _host.ReleaseCoordinator();
        var exits = effects.Exits;
        effects.Clear();
        if (!exits)
            return;
        _host.ReleaseCoordinator();
        _host.Exit();
    }

    private void RunEffects(Effects effects)
    {
        foreach (var (to, frame) in effects.Messages)
        {
            if (_node.NodeOf(to) is { } node)
                Send(node, frame);
        }

        foreach (var (operation, answer) in effects.Completions)
            Complete((PendingRequest)operation, answer);

        foreach (var (partition, _, count) in effects.Losses)
        {
            if (count != _counts[partition.Value])
                _host.Violate("I15", $"{count} lost records of partition {partition}, not {_counts[partition.Value]}");
        }

        _snapshots?.Take(effects);
        if (effects.HintedVersion > 0)
            _node.TableChanged(effects.HintedVersion, Now);
        effects.Clear();
    }

    private void Complete(PendingRequest pending, in WriteAnswer answer)
    {
        var request = pending.Request;
        var isRead = request.Action == ClientAction.Get && answer.Outcome == WriteOutcome.Done;
        var reply = isRead
            ? CoreRequests.Read(ShardOf(new PartitionId(request.Key.Partition)), request, Now)
            : CoreRequests.ReplyTo(request, answer);
        CheckRead(request, reply);
        Reply(pending.Client, reply, request);
    }

    private void CountRecords()
    {
        for (var index = 0; index < _counts.Length; index++)
            _counts[index] = _records.SumsOf(new PartitionId(index)).Count;
    }

    // I5: a read is answered only by a primary that serves, unless it may be old.
    private void CheckRead(ClientRequest request, ClientReply reply)
    {
        if (request is not { Action: ClientAction.Get, Reads: not ReadMode.Stale })
            return;
        var partition = new PartitionId(request.Key.Partition);
        if (reply.Status == ClientReplyStatus.Done && !IsServing(partition))
            _host.Violate("I5", $"a read of partition {partition} was answered in phase {ReplicaOf(partition).Phase}");
    }

    // T2 without the coordinator is left to nodes that hear at least half of the active members.
    private void CheckShrinks(ClusterTable successor)
    {
        var table = _node.Table!;
        for (var index = 0; index < table.Partitions.Length; index++)
        {
            var (from, to) = (table.Partitions[index], successor.Partitions[index]);
            var isShrink = PartitionTransitions.Validate(from, to).Change == PartitionChange.Shrink;
            if (isShrink && !_peers.MayShrink(_host.Now))
                _host.Violate("T2", $"partition {index} is shrunk by a node that hears less than half of the members");
        }
    }

    private void Reply(int client, ClientReply reply, ClientRequest request)
    {
        if (reply.Status == ClientReplyStatus.Moved && _node.Table is { } table)
        {
            var entry = table.Partitions[request.Key.Partition];
            var owner = entry.Primary is { } slot ? table.FindMember(slot) : null;
            var endpoint = owner is null || owner.Node == _host.Node ? -1 : _host.EndpointOf(owner.Address);
            reply = reply with { Owner = endpoint, Epoch = entry.Epoch.Value };
        }

        _host.Reply(client, reply);
    }

    private void Send(NodeId to, object frame)
    {
        if (_node.Table?.FindMember(to) is { } member)
            _host.Send(_host.EndpointOf(member.Address), ChannelOf(frame), Encode(to, frame));
    }

    private ReadOnlyMemory<byte> Encode(NodeId to, object frame)
    {
        _frames.Clear();
        FrameCodec.Write(
            new FrameHeader(_host.Meta.ClusterId, _host.Node.Incarnation, to.Incarnation), frame, _frames);
        return _frames.Written.ToArray();
    }

    private static int ChannelOf(object frame) => frame switch
    {
        Beacon => 1,
        BeaconAck => 2,
        AppendFrame => 3,
        AckFrame => 4,
        CopyAsk or CopyChunk or CopyAck => 5,
        _ => 6,
    };
}
