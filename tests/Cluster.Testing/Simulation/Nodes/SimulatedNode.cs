using Cluster.Contracts;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation.Nodes;

/// <summary>One machine of a simulated cluster with its clocks and the program that runs on it. The machine keeps its
/// name, clocks and end point; each start makes a new program with a new incarnation. Used by one thread.</summary>
public sealed class SimulatedNode : ISimulatedTarget, ISimulatedEndpoint
{
    // A program that asks for this many calls at one moment would never let the time go on.
    private const int TicksAtOnceMax = 1_000;

    private readonly SimulatedCluster _cluster;
    private readonly SimulationRandom _random;
    private readonly Queue<NodeCall> _deferred = new();
    private SimulatedHost? _host;
    private TimeSpan _scheduled = TimeSpan.MaxValue;
    private TimeSpan _lastTick;
    private int _ticksAtOnce;
    private int _pauseCount;
    private int _life;

    internal SimulatedNode(SimulatedCluster cluster, int index, SimulatedClock clock)
    {
        _cluster = cluster;
        _random = cluster.World.Random.Fork();
        Name = $"node{index}";
        Address = $"sim://{Name}";
        Clock = clock;
        Endpoint = cluster.Network.Add(this);
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <summary>The address in the member list.</summary>
    public string Address { get; }

    /// <summary>The number of the end point.</summary>
    public int Endpoint { get; }

    /// <summary>The clocks of the machine.</summary>
    public SimulatedClock Clock { get; }

    /// <summary>What the node does at the moment.</summary>
    public NodeCondition Condition { get; private set; }

    /// <summary>The program of the current life; null if the node is stopped or crashed.</summary>
    public INodeProgram? Program { get; private set; }

    /// <summary>The current or the last life; null before the first start.</summary>
    public NodeId? Node => _host?.Node;

    /// <summary>Whether a program runs or is paused.</summary>
    public bool IsAlive => Program is not null;

    /// <summary>Whether the operator has asked this life to drain.</summary>
    public bool IsDraining { get; private set; }

    /// <summary>How many lives the node has had.</summary>
    public int LifeCount => _life;

    /// <summary>How many calls waited for the end of a pause so far.</summary>
    public long DeferredCount { get; private set; }

    /// <summary>How often the program has been called.</summary>
    public long CallCount { get; private set; }

    /// <summary>Starts a new life.</summary>
    /// <exception cref="InvalidOperationException">The node is alive.</exception>
    public void Start()
    {
        if (IsAlive)
            throw new InvalidOperationException($"{Name} is alive; it can start again only after its life has ended.");
        _life++;
        IsDraining = false;
        var node = new NodeId(Name, _random.NextGuid());
        _host = new SimulatedHost(_cluster, this, node, _random.Fork());
        Condition = _pauseCount > 0 ? NodeCondition.Paused : NodeCondition.Running;
        Program = _cluster.CreateProgram(_host);
        _cluster.World.Note(_life, Endpoint);
        Trace($"starts as {node}");
        Accept(new NodeCall(NodeCallKind.Start));
    }

    /// <summary>Ends the life without a word. All that the program holds is lost.</summary>
    public void Crash()
    {
        if (!IsAlive)
            return;
        End(NodeCondition.Crashed);
        Trace("crashes");
        _cluster.LifeEnded(this, _host!.Node);
    }

    /// <summary>Stops the program until as many calls of <see cref="Resume"/> follow.</summary>
    public void Pause()
    {
        _pauseCount++;
        if (Condition == NodeCondition.Running)
            Condition = NodeCondition.Paused;
        Trace("is paused");
    }

    /// <summary>Ends one pause. When the last one has ended, the program gets all that waited, in order.</summary>
    public void Resume()
    {
        if (--_pauseCount > 0)
            return;
        if (Condition != NodeCondition.Paused)
            return;
        Condition = NodeCondition.Running;
        Trace($"resumes with {_deferred.Count} calls waiting");
        while (Condition == NodeCondition.Running && _deferred.TryDequeue(out var call))
            Run(call);
    }

    /// <summary>Asks the node to hand over what it has and to leave.</summary>
    public void Drain()
    {
        if (!IsAlive || IsDraining)
            return;
        IsDraining = true;
        Trace("is asked to drain");
        Accept(new NodeCall(NodeCallKind.Drain));
    }

    /// <inheritdoc />
    public void Deliver(in SimulatedMessage message)
    {
        if (IsAlive)
            Accept(new NodeCall(NodeCallKind.Message) { Message = message });
    }

    /// <inheritdoc />
    public void Handle(in SimulatedEvent occurrence)
    {
        switch (occurrence.Kind)
        {
            case SimulatedEventKind.NodeDeadline:
                if (_scheduled.Ticks == occurrence.Argument)
                    _scheduled = TimeSpan.MaxValue;
                if (IsAlive)
                    Accept(new NodeCall(NodeCallKind.Tick));
                break;
            case SimulatedEventKind.NodeStart:
                if (!IsAlive)
                    Start();
                break;
            case SimulatedEventKind.NodeResume:
                Resume();
                break;
            case SimulatedEventKind.DeathProven:
                if (IsAlive)
                    Accept(new NodeCall(NodeCallKind.Death) { Content = occurrence.Content });
                break;
            default:
                throw new InvalidOperationException($"{Name} handles no {occurrence.Kind}.");
        }
    }

    /// <inheritdoc />
    public override string ToString() => $"{Name} ({Condition})";

    // An answer of the store reaches only the life that asked.
    internal void Answer(NodeId life, in NodeCall call)
    {
        if (IsAlive && _host!.Node == life)
            Accept(call);
    }

    internal void Exit()
    {
        End(NodeCondition.Stopped);
        Trace("leaves");
        _cluster.LifeEnded(this, _host!.Node);
    }

    private void End(NodeCondition condition)
    {
        Condition = condition;
        Program = null;
        _deferred.Clear();
    }

    private void Accept(in NodeCall call)
    {
        if (Condition == NodeCondition.Running)
        {
            Run(call);
            return;
        }

        _deferred.Enqueue(call);
        DeferredCount++;
    }

    [SuppressMessage("Design", "CA1031", Justification = "Any exception of a program is a finding of the run.")]
    private void Run(in NodeCall call)
    {
        CallCount++;
        _cluster.Touched(this);
        try
        {
            Call(Program!, call);
        }
        catch (Exception error)
        {
            _cluster.World.Violate("exception", $"{Name} in {call.Kind}: {error}");
            Crash();
        }

        if (Program is { } program)
            ScheduleTick(program.NextDeadline);
    }

    private void Call(INodeProgram program, in NodeCall call)
    {
        switch (call.Kind)
        {
            case NodeCallKind.Start:
                program.Start();
                break;
            case NodeCallKind.Tick:
                Tick(program);
                break;
            case NodeCallKind.Message when call.Message.Content is ClientRequest request:
                program.Requested(call.Message.From, request);
                break;
            case NodeCallKind.Message:
                program.Receive(call.Message);
                break;
            case NodeCallKind.TableRead:
                program.TableRead((TableReading)call.Content!);
                break;
            case NodeCallKind.TableChanged:
                program.TableChanged(call.Version);
                break;
            case NodeCallKind.SwapEnded:
                program.SwapEnded(call.Nonce, call.Outcome);
                break;
            case NodeCallKind.Coordinator:
                program.CoordinatorAnswered((CoordinatorAnswer)call.Content!);
                break;
            case NodeCallKind.Death:
                program.DeathProven((NodeId)call.Content!);
                break;
            case NodeCallKind.Drain:
                program.DrainAsked();
                break;
        }
    }

    // A deadline that the program has moved on since the event was scheduled is not due yet.
    private void Tick(INodeProgram program)
    {
        var now = _cluster.World.Now;
        if (program.NextDeadline > Clock.At(now))
            return;
        _ticksAtOnce = now == _lastTick ? _ticksAtOnce + 1 : 0;
        _lastTick = now;
        if (_ticksAtOnce > TicksAtOnceMax)
            throw new InvalidOperationException($"The deadline did not move on in {TicksAtOnceMax} ticks.");
        program.Tick();
    }

    // An event that comes too early does no harm: it looks at the deadline again. So an event is added only if the
    // deadline has become earlier.
    private void ScheduleTick(long deadline)
    {
        if (deadline == long.MaxValue)
            return;
        var at = Clock.TrueTimeOf(deadline);
        if (at >= _scheduled || at == TimeSpan.MaxValue)
            return;
        _scheduled = at;
        _cluster.World.Schedule(
            at, new SimulatedEvent(this, SimulatedEventKind.NodeDeadline, Endpoint, at.Ticks));
    }

    private void Trace(string text) => _cluster.World.Trace.Write(_cluster.World.Now, Name, text);
}
