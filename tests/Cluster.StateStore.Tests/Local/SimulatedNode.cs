using Cluster.Pile;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Local;

/// <summary>One node of a <see cref="SimulatedCluster"/>. Disposal checks that its pile is empty at the end.</summary>
internal sealed class SimulatedNode : IAsyncDisposable
{
    public SimulatedNode(SimulatedCluster cluster, ClusterMember member, ClusterTable table)
    {
        Member = member;
        Pile = new LocalPile(new PileOptions { BudgetBytes = 64 << 20 });
        View = new TableView(member.Node, table);
        Clock = new ShiftedTimeProvider(cluster.Time);
        Options = new NodeStateStoreOptions { Time = Clock, NewerEpochHeard = (p, e) => Heard.Add((p, e)) };
        Store = new NodeStateStore(cluster.Catalog, cluster.Hash, Pile, View, Options);
        var directory = new SimulatedCluster.Directory(cluster);
        Router = new StateRouter(View, directory, cluster.Hash, Store, cluster.RouterOptions());
    }

    public ClusterMember Member { get; }

    /// <summary>The node's own clock. It shows the time of the cluster unless a test shifts it.</summary>
    public ShiftedTimeProvider Clock { get; }

    public LocalPile Pile { get; }

    public TableView View { get; }

    public NodeStateStoreOptions Options { get; }

    public NodeStateStore Store { get; }

    public StateRouter Router { get; }

    public List<(PartitionId Partition, Epoch Epoch)> Heard { get; } = [];

    public StateClient<string, Cart> Carts => new(SimulatedCluster.Carts, Router);

    public void ServeWhatTheTableSays()
    {
        for (var index = 0; index < View.Current.Partitions.Length; index++)
        {
            var entry = View.Current.Partitions[index];
            if (entry.Primary == Member.Slot)
                Store.Serve(new PartitionId(index), entry.Epoch);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Store.DisposeAsync();
        var left = Pile.GetStatistics();
        Assert.Equal((0, 0), (left.Objects, left.LiveBytes));
        Pile.Dispose();
    }
}
