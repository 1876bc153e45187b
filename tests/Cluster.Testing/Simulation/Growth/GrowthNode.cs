using Cluster.Contracts;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Peers;
using Cluster.StateStore.Protocol.Wire;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Nodes;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation.Growth;

/// <summary>One life of a node of a large cluster: the core of the product decides, and the replicas are a model
/// without records. The node gets a new table as the product does: it sees the version in the store, asks another node
/// for the changes, and reads the whole table where nobody can tell. Used by one thread.</summary>
internal sealed class GrowthNode : INodeProgram
{
    private static readonly long AskTime = TimeSpan.FromSeconds(0.25).Ticks;
    private static readonly long HoldTime = TimeSpan.FromSeconds(0.15).Ticks;
    private static readonly long AvoidTime = TimeSpan.FromSeconds(30).Ticks;

    private readonly SimulatedHost _host;
    private readonly SharedTables _tables;
    private readonly NodeCore _node;
    private readonly PeerBook _peers;
    private readonly FormatWriter _frames = new(256);
    private readonly List<(NodeId Node, TableQuestion Question, long Until)> _waiting = [];
    private readonly Dictionary<NodeId, long> _avoided = [];
    private readonly Queue<ClusterMember> _sources = new();
    private long _first;
    private long _wanted;
    private (NodeId Node, long Until)? _asked;
    private bool _isReading;
    private bool _isWhole;
    private bool _isPolling;
    private object? _lastFrame;
    private int _lastBytes;

    public GrowthNode(SimulatedHost host, SharedTables tables, ProtocolTimes times, TimeSpan copyTime)
    {
        (_host, _tables) = (host, tables);
        _peers = new PeerBook(times, Mutant.None);
        Shard = new ModelShard(_peers, times, copyTime);
        var address = $"10.0.{host.Endpoint / 250}.{host.Endpoint % 250}";
        var options = new NodeOptions
        {
            Member = new ClusterMember(
                default, host.Node, $"http://{address}:5101", $"{address}:5102",
                new(["Shop.ICart", "Shop.IOrders"]), MemberState.Active)
            {
                WantedBackups = new([(byte)host.Settings.Backups]),
            },
            ClusterId = host.Meta.ClusterId,
            NewGuid = host.Random.NextGuid,
            Times = times,
            InitialNodeCount = host.Settings.NodeCount,
        };
        _node = new NodeCore(options, _peers, [Shard], Now);
    }

    public GrowthTraffic Traffic { get; } = new();

    public ModelShard Shard { get; }

    /// <summary>The version that the node acts on.</summary>
    public long Version => _node.Table?.Version ?? 0;

    /// <summary>How many whole tables the node has read from the store.</summary>
    public long WholeReads { get; private set; }

    public long NextDeadline
    {
        get
        {
            var next = Math.Min(_node.NextDeadline, _asked?.Until ?? long.MaxValue);
            foreach (var (_, _, until) in _waiting)
                next = Math.Min(next, until);
            return Math.Max(next, _host.Now);
        }
    }

    private Moment Now => new(_host.Now, _host.UtcNow.UtcTicks);

    public void Start() => Tick();

    public void Tick()
    {
        if (_asked is { } asked && _host.Now >= asked.Until)
        {
            _avoided[asked.Node] = _host.Now;
            AskNext();
        }

        AnswerWaiting();
        if (_host.Now >= _node.NextDeadline)
            _node.Tick(Now);
        RunEffects();
    }

    public void Receive(in SimulatedMessage message)
    {
        if (message.Content is TableQuestion question)
        {
            Handle(message.Sender, question);
        }
        else
        {
            Count(message.Content!, message.Channel);
            _node.Receive(message.Sender, message.Content!, Now);
        }

        RunEffects();
    }

    public void Requested(int client, ClientRequest request)
    {
    }

    public void TableRead(TableReading reading)
    {
        if (!reading.IsConsistent)
        {
            _isPolling = false;
            Want(reading.Table?.Version ?? 0);
            RunEffects();
            return;
        }

        _isReading = false;
        if (reading.Table is not { } table)
            return;
        Traffic.Store += GrowthTraffic.StoreCallBytes;

        // A consistent read begins with the version and the digest. A newer table comes from other nodes, if they can
        // tell.
        if (table.Version > Version && _node.Table is not null && !_isWhole)
        {
            WantAgain(table.Version);
            RunEffects();
            return;
        }

        if (table.Version > Version)
        {
            WholeReads++;
            Traffic.Store += (long)(_tables.BytesOf(table.Version) * GrowthTraffic.StoreExpansion);
        }

        _isWhole = false;
        Adopt(table);
    }

    // The watch wakes; then the store reads the stamp.
    public void TableChanged(long version)
    {
        Traffic.Store += 2 * GrowthTraffic.StoreCallBytes;
        Want(version);
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
        _node.SwapEnded(nonce, result, Now);
        AnswerWaiting();
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

    private void Want(long version)
    {
        if (version <= Math.Max(Version, _wanted))
            return;
        _wanted = version;
        if (_asked is not null || _isReading || _node.Table is not { } table)
            return;
        _sources.Clear();
        if (DeltaTree.IsUsed(table))
        {
            foreach (var source in DeltaTree.FindSources(table, _host.Node, version, IsAvoided))
                _sources.Enqueue(source);
        }

        AskNext();
    }

    private void AskNext()
    {
        _asked = null;
        if (_wanted <= Version)
            return;
        if (_sources.TryDequeue(out var source))
        {
            _asked = (source.Node, _host.Now + AskTime);
            SendQuestion(source.Node, new TableQuestion(Version, _wanted));
            return;
        }

        _isWhole = true;
        Read();
    }

    private void Read()
    {
        if (_isReading)
            return;
        _isReading = true;
        _host.ReadTable(isConsistent: true);
    }

    // A watch that has lost a notification sees the version with its next poll.
    private void Poll()
    {
        if (_isPolling)
            return;
        _isPolling = true;
        _host.ReadTable(isConsistent: false);
    }

    private void Handle(NodeId from, TableQuestion question)
    {
        Traffic.Deltas += TableQuestion.CallBytes + (question.Bytes ?? 0);
        if (!question.IsAnswer)
        {
            _waiting.Add((from, question, _host.Now + HoldTime));
            AnswerWaiting();
        }
        else if (_asked is { } asked && asked.Node == from)
        {
            if (question.Bytes is not null && question.From == Version)
                Adopt(_tables.TableOf(question.To));
            AskNext();
        }
    }

    private void AnswerWaiting()
    {
        for (var index = _waiting.Count - 1; index >= 0; index--)
        {
            var (node, question, until) = _waiting[index];
            var isKnown = Version >= question.To;
            if (!isKnown && _host.Now < until)
                continue;
            _waiting.RemoveAt(index);
            var bytes = isKnown && _first <= question.From ? _tables.DeltaBytes(question.From, question.To) : null;
            SendQuestion(node, question with { IsAnswer = true, Bytes = bytes });
        }
    }

    private void Adopt(ClusterTable table)
    {
        if (_first == 0)
            _first = table.Version;
        _node.TableRead(table, _host.Meta.ClusterId, Now);
        AnswerWaiting();
        WantAgain(_wanted);
        RunEffects();
    }

    // What was wanted during a read was not asked for yet.
    private void WantAgain(long version)
    {
        if (_asked is not null)
            return;
        var wanted = Math.Max(version, _wanted);
        _wanted = 0;
        Want(wanted);
    }

    private void SendQuestion(NodeId to, TableQuestion question)
    {
        Traffic.Deltas += TableQuestion.CallBytes + (question.Bytes ?? 0);
        SendTo(to, question, 0);
    }

    private bool IsAvoided(NodeId node) =>
        _avoided.TryGetValue(node, out var at) && _host.Now - at < AvoidTime;

    private void RunEffects()
    {
        var effects = _node.Effects;
        foreach (var (to, frame) in effects.Messages)
        {
            var bytes = BytesOf(frame, to);
            Count(frame, bytes);
            SendTo(to, frame, bytes);
        }

        foreach (var (successor, needsCoordinator) in effects.Swaps)
        {
            Traffic.Store += (long)(_tables.BytesOf(successor.Version - 1) * GrowthTraffic.StoreExpansion);
            _host.Swap(successor, needsCoordinator);
        }

        foreach (var node in effects.Probes)
            _host.Probe(node);
        if (effects.ReadsTable && effects.IsConsistent)
            Read();
        else if (effects.ReadsTable)
            Poll();
        if (effects.HoldsCoordinator)
        {
            Traffic.Store += 2 * GrowthTraffic.StoreCallBytes;
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

    // The name of a machine ends with the number of its end point.
    private void SendTo(NodeId to, object content, int bytes) =>
        _host.Send(int.Parse(to.Name.AsSpan("node".Length), CultureInfo.InvariantCulture), bytes, content);

    // One beacon goes to many nodes.
    private int BytesOf(object frame, NodeId to)
    {
        if (ReferenceEquals(frame, _lastFrame))
            return _lastBytes;
        _frames.Clear();
        FrameCodec.Write(new FrameHeader(_host.Meta.ClusterId, _host.Node.Incarnation, to.Incarnation), frame, _frames);
        _lastFrame = frame;
        return _lastBytes = _frames.Written.Length;
    }

    private void Count(object frame, int bytes)
    {
        if (frame is Beacon or BeaconAck)
            Traffic.Beacons += bytes;
        else
            Traffic.Proposals += bytes;
    }
}
