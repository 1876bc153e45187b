using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;

namespace Cluster.Testing.Simulation.Nodes;

/// <summary>What one life of a node program can do: its clocks, its randomness, the network and the store. Used by the
/// program of one life.</summary>
public sealed class SimulatedHost
{
    private readonly SimulatedCluster _cluster;
    private readonly SimulatedNode _machine;

    internal SimulatedHost(SimulatedCluster cluster, SimulatedNode machine, NodeId node, SimulationRandom random)
    {
        _cluster = cluster;
        _machine = machine;
        Node = node;
        Random = random;
    }

    /// <summary>The node's name and the incarnation of this life.</summary>
    public NodeId Node { get; }

    /// <summary>The number of the node's end point, which stays the same in each of its lives.</summary>
    public int Endpoint => _machine.Endpoint;

    /// <summary>The address in the member list; <see cref="EndpointOf"/> translates it back.</summary>
    public string Address => _machine.Address;

    /// <summary>The source of chance of this life.</summary>
    public SimulationRandom Random { get; }

    /// <summary>What the monotonic clock shows, in ticks of 100 ns.</summary>
    public long Now => _machine.Clock.At(_cluster.World.Now);

    /// <summary>What the wall clock shows.</summary>
    public DateTimeOffset UtcNow => _machine.Clock.WallAt(_cluster.World.Now);

    /// <summary>The sizes and modes of the run.</summary>
    public SimulationSettings Settings => _cluster.Settings;

    /// <summary>The properties of the cluster that the node belongs to.</summary>
    public ClusterMeta Meta => _cluster.Store.Meta;

    /// <summary>Returns the end point of a member.</summary>
    /// <param name="address">Its address in the member list.</param>
    public int EndpointOf(string address) => _cluster.NodeAt(address).Endpoint;

    /// <summary>Sends bytes to another node. The program does not change them afterwards.</summary>
    /// <param name="to">The receiver's end point.</param>
    /// <param name="channel">A number that tells the kinds of messages apart.</param>
    /// <param name="bytes">The content.</param>
    public void Send(int to, int channel, ReadOnlyMemory<byte> bytes) =>
        _cluster.Network.Send(to, new SimulatedMessage(Endpoint, Node, channel, bytes, null));

    /// <summary>Sends an object to another node. The program does not change it afterwards.</summary>
    /// <param name="to">The receiver's end point.</param>
    /// <param name="channel">A number that tells the kinds of messages apart.</param>
    /// <param name="content">The content.</param>
    public void Send(int to, int channel, object content) =>
        _cluster.Network.Send(to, new SimulatedMessage(Endpoint, Node, channel, default, content));

    /// <summary>Answers a client.</summary>
    /// <param name="client">The client's end point.</param>
    /// <param name="reply">The answer.</param>
    public void Reply(int client, ClientReply reply) =>
        _cluster.Network.Send(client, new SimulatedMessage(Endpoint, Node, ClientChannels.Reply, default, reply));

    /// <summary>Reads the table from the store.</summary>
    /// <param name="isConsistent">Whether the answer must be the newest table.</param>
    /// <returns>The number of the request, which the answer bears.</returns>
    public long ReadTable(bool isConsistent) => _cluster.Store.Read(_machine, Node, isConsistent);

    /// <summary>Proposes a table to the store; it must be the successor of the stored one.</summary>
    /// <param name="successor">The table, with a nonce of its own.</param>
    /// <param name="needsCoordinator">Whether the swap may happen only while this life is the coordinator.</param>
    public void Swap(ClusterTable successor, bool needsCoordinator = false) =>
        _cluster.Store.Swap(_machine, Node, successor, needsCoordinator);

    /// <summary>Tries to become or to remain the coordinator. The role ends when
    /// <see cref="Stores.SimulatedStore.CoordinatorTimeToLive"/> passes without this call.</summary>
    public void HoldCoordinator() => _cluster.Store.HoldCoordinator(_machine, Node);

    /// <summary>Gives the role of the coordinator back.</summary>
    public void ReleaseCoordinator() => _cluster.Store.ReleaseCoordinator(_machine, Node);

    /// <summary>Tells the store that this life is alive. There is no answer.</summary>
    public void Beat() => _cluster.Store.Beat(_machine, Node);

    /// <summary>Asks the kernel whether a life has ended. <see cref="INodeProgram.DeathProven"/> follows only if it
    /// has, and only in runs in which all nodes share a kernel.</summary>
    /// <param name="node">The life in question.</param>
    public void Probe(NodeId node) => _cluster.Probe(_machine, node);

    /// <summary>Ends this life in order. The program gets no further call.</summary>
    public void Exit() => _machine.Exit();

    /// <summary>Adds a line to the trace of the run.</summary>
    /// <param name="text">Makes the line; called only while the trace is on.</param>
    public void Trace(Func<string> text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (_cluster.World.Trace.IsOn)
            _cluster.World.Trace.Write(_cluster.World.Now, _machine.Name, text());
    }

    /// <summary>Records a promise that the program itself found broken.</summary>
    /// <param name="invariant">The short name of the promise.</param>
    /// <param name="text">What was expected and what was found.</param>
    public void Violate(string invariant, string text) =>
        _cluster.World.Violate(invariant, $"{_machine.Name}: {text}");
}
