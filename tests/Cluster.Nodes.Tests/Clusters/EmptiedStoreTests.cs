using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>The store of running nodes loses the cluster.</summary>
[Trait("Case", "cluster-emptied-store")]
public sealed class EmptiedStoreTests(ITestOutputHelper output)
{
    private const int HealthCheckDegraded = 103;
    private const int StoreUnusable = 5032;
    private const int LeaseLost = 5061;
    private const int Restored = 5111;
    private const int EntryCount = 50;

    [Fact]
    [Trait("Case", "experience-X5")]
    public async Task Store_Emptied_IsWrittenAgainByOneNodeAndAnotherNodeJoins()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(StoreUnusable, HealthCheckDegraded, LeaseLost, Restored);
        var nodes = await fixture.StartTogetherAsync("n1", "n2", "n3");
        await FillAsync(nodes[0], EntryCount);
        var before = nodes[0].Table;

        fixture.EmptyStore();
        await Eventually.TrueAsync(
            () => nodes.All(node => node.Table.Version > before.Version), WaitBudget, "every node has a newer table");

        // The node that wrote the store again says so after it has done it. Other nodes may read the table before.
        await Eventually.TrueAsync(
            () => fixture.Logs.Entries.Any(entry => entry.Event.Id == Restored), WaitBudget);
        Assert.Single(fixture.Logs.Entries, entry => entry.Event.Id == Restored);
        Assert.Equal(before.Partitions.AsEnumerable(), nodes[0].Table.Partitions.AsEnumerable());

        // Only a registered coordinator lets a node join, and moves partitions to it.
        var fourth = await fixture.StartAsync("n4");
        await WaitUntilOwnedAsync([.. nodes, fourth], 4);
        await CheckFilledAsync(fourth, EntryCount);
        Assert.All(nodes[0].Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }
}
