using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>A simulated cluster of recording programs without clients, for tests of nodes and store.</summary>
internal sealed class RecordingCluster
{
    public RecordingCluster(ulong seed = 5, bool isSameKernel = false)
    {
        var settings = new SimulationSettings { ClientCount = 0, SpareCount = 1, IsSameKernel = isSameKernel };
        Cluster = new SimulatedCluster(new SimulatedWorld(seed), settings, host => new RecordingNode(host));
        Run(TimeSpan.FromSeconds(2));
    }

    public SimulatedCluster Cluster { get; }

    public RecordingNode this[int index] => (RecordingNode)Cluster.Nodes[index].Program!;

    public SimulatedNode Machine(int index) => Cluster.Nodes[index];

    public void Run(TimeSpan time)
    {
        var end = Cluster.World.Now + time;
        while (Cluster.Step(end))
        {
        }
    }

    /// <summary>Proposes the successor of the newest table with one more member, and waits for the outcome.</summary>
    public ClusterTable Swap(int node, ClusterTable? from = null, bool needsCoordinator = false)
    {
        var program = this[node];
        var table = from ?? Cluster.Store.Current;
        var next = table.StartSuccessor(program.Host.Random.NextGuid());
        var slot = new NodeSlot((ushort)table.Members.Length);
        var member = new ClusterMember(
            slot, new Contracts.NodeId($"made{slot}", program.Host.Random.NextGuid()), "a", "b", default,
            MemberState.Active);
        next = next.Members.Length < 3 ? next.WithMember(member) : next;
        program.Host.Swap(next, needsCoordinator);
        Run(TimeSpan.FromSeconds(6));
        return next;
    }
}
