using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

[Trait("Case", "repair-C6")]
public sealed class ForeignClusterTests(ITestOutputHelper output)
{
    private const int HealthCheckDegraded = 103;
    private const int LoopFailed = 5020;
    private const int StoreUnusable = 5032;
    private const int LeaseLost = 5061;

    [Fact]
    public async Task Cluster_ReplacedInTheStoreByANewerOne_IsNotAdoptedAndNothingIsDropped()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(LoopFailed, StoreUnusable, HealthCheckDegraded, LeaseLost);
        var node = await fixture.StartAsync("n1");
        await WaitUntilOwnedAsync([node], 1);
        for (var index = 0; index < 50; index++)
            await node.Tallies.PutAsync($"k{index}", new Tally { Count = index });
        var version = node.Table.Version;

        await fixture.ReplaceClusterAsync();
        await Eventually.TrueAsync(
            () => fixture.Logs.Entries.Any(entry => entry.Event.Id == StoreUnusable), WaitBudget);
        Assert.Equal(version, node.Table.Version);
        for (var index = 0; index < 50; index++)
            Assert.Equal(index, (await node.Tallies.GetAsync($"k{index}"))!.Count);

        // For a moment the store contains no cluster. If the node reads it then, it reports another reason until its
        // next read.
        var health = node.Host.Services.GetRequiredService<HealthCheckService>();
        await Eventually.TrueAsync(
            async () => (await health.CheckHealthAsync()).Entries["cluster-ready"] is
            { Status: HealthStatus.Degraded, Description: { } why }
                && why.Contains("created a cluster of the same name", StringComparison.Ordinal),
            WaitBudget);
        Assert.Equal(version, node.Table.Version);
    }
}
