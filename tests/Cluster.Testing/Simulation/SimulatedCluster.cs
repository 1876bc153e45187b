using Cluster.Contracts;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Faults;
using Cluster.Testing.Simulation.Invariants;
using Cluster.Testing.Simulation.Network;
using Cluster.Testing.Simulation.Nodes;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation;

/// <summary>One simulated run: nodes, network, store, clients and faults in one world. Made from a seed or from chosen
/// settings; used once, by one thread.</summary>
public sealed class SimulatedCluster
{
    private static readonly TimeSpan StartSpread = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ProofMax = TimeSpan.FromMilliseconds(500);

    private readonly Func<SimulatedHost, INodeProgram> _createProgram;
    private readonly List<SimulatedNode> _nodes = [];
    private readonly List<ClientOperation> _operations = [];
    private readonly HashSet<NodeId> _ended = [];
    private readonly SimulationRandom _random;

    /// <summary>Makes a run; nothing has happened yet.</summary>
    /// <param name="world">The time and the events, which nobody else uses.</param>
    /// <param name="settings">The size and the modes.</param>
    /// <param name="createProgram">Makes the program of each life of each node.</param>
    public SimulatedCluster(
        SimulatedWorld world, SimulationSettings settings, Func<SimulatedHost, INodeProgram> createProgram)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(settings);
        World = world;
        Settings = settings;
        _createProgram = createProgram;
        _random = world.Random.Fork();
        Network = new SimulatedNetwork(world, settings.Link);
        for (var index = 0; index < settings.NodeCount + settings.SpareCount; index++)
            _nodes.Add(new SimulatedNode(this, index, SimulatedClock.Draw(_random, settings.RateSpread)));
        Store = new SimulatedStore(world, _nodes, settings.PartitionCount);
        Workload = new ClientWorkload(world.Random.Fork(), settings.PartitionCount);
        Clients =
        [
            .. Enumerable.Range(0, settings.ClientCount).Select(index =>
                new SimulatedClient(this, index, settings.OperationsPerClient, settings.ClientPace)),
        ];
        Faults = new FaultInjector(this);
        foreach (var node in _nodes.Take(settings.NodeCount))
        {
            world.Schedule(
                _random.Between(TimeSpan.Zero, StartSpread),
                new SimulatedEvent(node, SimulatedEventKind.NodeStart, node.Endpoint));
        }
    }

    /// <summary>The time and the events.</summary>
    public SimulatedWorld World { get; }

    /// <summary>The size and the modes.</summary>
    public SimulationSettings Settings { get; }

    /// <summary>The network.</summary>
    public SimulatedNetwork Network { get; }

    /// <summary>The cluster store.</summary>
    public SimulatedStore Store { get; }

    /// <summary>The machines. A node's index is the number of its end point.</summary>
    public IReadOnlyList<SimulatedNode> Nodes => _nodes;

    /// <summary>The clients.</summary>
    public ImmutableArray<SimulatedClient> Clients { get; }

    /// <summary>The keys and actions of the clients.</summary>
    public ClientWorkload Workload { get; }

    /// <summary>The faults.</summary>
    public FaultInjector Faults { get; }

    /// <summary>The promises that are checked after each event.</summary>
    public IList<IInvariant> Invariants { get; } = [];

    /// <summary>The operations of all clients, in the order in which they began.</summary>
    public IReadOnlyList<ClientOperation> Operations => _operations;

    /// <summary>The node whose program the current event has called last; null if it has called none.</summary>
    public SimulatedNode? LastCalled { get; private set; }

    /// <summary>How many lives have begun.</summary>
    public int LifeCount => _nodes.Sum(node => node.LifeCount);

    /// <summary>Returns whether a life has begun and ended.</summary>
    /// <param name="life">The life in question.</param>
    public bool HasEnded(NodeId life) => _ended.Contains(life);

    /// <summary>Returns whether the in-sync members of a partition have all ended and nobody can prove it. Such a
    /// partition waits for an operator, who is not part of a run.</summary>
    /// <param name="partition">The partition.</param>
    public bool IsStranded(PartitionId partition)
    {
        var table = Store.Current;
        var members = table[partition].InSync;
        return !Settings.IsSameKernel
            && members.Count > 0
            && members.All(slot => table.FindMember(slot) is not { } member || HasEnded(member.Node));
    }

    /// <summary>Returns the machine with an address of the member list.</summary>
    /// <param name="address">The address.</param>
    public SimulatedNode NodeAt(string address) => _nodes.Find(node => node.Address == address)
        ?? throw new ArgumentException($"No node has the address {address}.", nameof(address));

    /// <summary>Handles the next event and checks the promises.</summary>
    /// <param name="until">An event after this time is left in the queue.</param>
    /// <returns>False if there is no event up to this time.</returns>
    public bool Step(TimeSpan until)
    {
        LastCalled = null;
        if (!World.Step(until))
            return false;
        foreach (var invariant in Invariants)
            invariant.Check(this);
        return true;
    }

    internal INodeProgram CreateProgram(SimulatedHost host) => _createProgram(host);

    internal void Touched(SimulatedNode node) => LastCalled = node;

    internal void Add(ClientOperation operation) => _operations.Add(operation);

    // Where all nodes share a kernel, each of them learns soon that the process is gone.
    internal void LifeEnded(SimulatedNode machine, NodeId life)
    {
        _ended.Add(life);
        if (!Settings.IsSameKernel)
            return;
        foreach (var other in _nodes)
        {
            if (other != machine && other.IsAlive)
                Prove(other, life);
        }
    }

    internal void Probe(SimulatedNode asking, NodeId life)
    {
        if (Settings.IsSameKernel && HasEnded(life))
            Prove(asking, life);
    }

    private void Prove(SimulatedNode to, NodeId life) => World.Schedule(
        World.Now + _random.Between(TimeSpan.Zero, ProofMax),
        new SimulatedEvent(to, SimulatedEventKind.DeathProven, to.Endpoint, 0, life));
}
