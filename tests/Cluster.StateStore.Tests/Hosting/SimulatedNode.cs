using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Tests.Hosting.Tables;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>One node of a <see cref="SimulatedCluster"/>: a real state store in its own pile. What the store asks of
/// its environment is done later, by the cluster.</summary>
internal sealed class SimulatedNode : INodeEnvironment
{
    private readonly SimulatedCluster _cluster;
    private readonly ClusterMember _candidate;

    public SimulatedNode(SimulatedCluster cluster, int number)
    {
        (_cluster, Number) = (cluster, number);
        _candidate = TableFixture.Member(number, MemberState.Joining);
        Pile = new LocalPile(new PileOptions { BudgetBytes = 64 << 20 });
        View = new TableView(Node, cluster.Table);
        Clock = new ShiftedTimeProvider(cluster.Time);
        Options = new NodeStateStoreOptions
        {
            Member = _candidate,
            Environment = this,
            InitialNodeCount = cluster.InitialNodeCount,
            Time = Clock,
            Times = cluster.Times,
            Backups = cluster.Backups,
            Protocol = cluster.ProtocolOf(number),
            ProtocolRaiseDelay = cluster.ProtocolRaiseDelay,
            NewerEpochHeard = (partition, epoch) => Heard.Add((partition, epoch)),
        };
        Store = new NodeStateStore(cluster.CatalogOf(number), cluster.Meta, Pile, View, Options);
        Router = new StateRouter(
            View, new SimulatedCluster.Directory(cluster), cluster.Hash, Store, cluster.RouterOptions());
    }

    /// <summary>The number of the node, from one.</summary>
    public int Number { get; }

    public NodeId Node => _candidate.Node;

    /// <summary>The node as the table lists it.</summary>
    public ClusterMember Member => _cluster.Table.FindMember(Node) ?? _candidate;

    /// <summary>The node's own clock. It shows the time of the cluster unless a test shifts it.</summary>
    public ShiftedTimeProvider Clock { get; }

    public LocalPile Pile { get; }

    public TableView View { get; }

    public NodeStateStoreOptions Options { get; }

    public NodeStateStore Store { get; }

    public StateRouter Router { get; }

    public List<(PartitionId Partition, Epoch Epoch)> Heard { get; } = [];

    public StateClient<string, Cart> Carts => new(SimulatedCluster.Carts, Router);

    /// <summary>Whether the process has ended without a word.</summary>
    public bool IsKilled { get; private set; }

    /// <summary>The records of all states, with marks of removals.</summary>
    public long RecordCount => Store.CountEntries().Values.Sum();

    public PartitionStatistics? Describe(PartitionId partition) =>
        Store.DescribePrimaries().SingleOrDefault(statistics => statistics.Partition == partition);

    /// <summary>Ends the process. A node that examines it finds out.</summary>
    public void Kill()
    {
        IsKilled = true;
        Store.Dispose();
        _cluster.Store.Release(Node);
    }

    public void Learn(ClusterTable table)
    {
        View.Publish(table);
        Store.TableRead(table);
    }

    void INodeEnvironment.Send(NodeId node, byte[] frame) => _cluster.Send(node, frame);

    void INodeEnvironment.SendBeacon(NodeId node, byte[] frame) => _cluster.Send(node, frame, isBeacon: true);

    void INodeEnvironment.AnswerBeacon(NodeId node, byte[] frame) => _cluster.Send(node, frame, isBeacon: true);

    void INodeEnvironment.ReadTable(bool isConsistent) => Post(() => Learn(_cluster.Table));

    void INodeEnvironment.HearOfTable(long version)
    {
        // This store answers every read.
    }

    void INodeEnvironment.Swap(ClusterTable successor, bool needsCoordinator) => Post(() =>
    {
        var result = _cluster.Store.Swap(successor, Node, needsCoordinator);
        if (result == SwapResult.Done)
            View.Publish(successor);
        Store.SwapEnded(successor.ProposerNonce, result);
        if (result == SwapResult.Done)
            _cluster.Publish(successor);
    });

    void INodeEnvironment.Probe(NodeId node) => Post(() =>
    {
        if (_cluster.Find(node) is { IsKilled: true })
            Store.DeathProven(node, "its process has ended");
    });

    void INodeEnvironment.HoldCoordinator() => Post(() => Store.CoordinatorKnown(_cluster.Store.Hold(Node)));

    void INodeEnvironment.ReleaseCoordinator() => _cluster.Store.Release(Node);

    private void Post(Action call) => _cluster.Post(() =>
    {
        if (!IsKilled)
            call();
    });
}
