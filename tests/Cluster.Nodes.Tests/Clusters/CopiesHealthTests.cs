using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

public sealed class CopiesHealthTests(ITestOutputHelper output)
{
    private const int HealthCheckDegraded = 103;
    private const int CopiesComplete = 5048;
    private const int HostFailed = 11;

    [Fact]
    public async Task Ready_OneNodeForTwoCopies_IsDegradedUntilAnotherJoins()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(HealthCheckDegraded);
        var first = await fixture.StartAsync("n1", options => options.Backups = 1);
        await Eventually.TrueAsync(
            async () => await ReadAsync(first) is { Status: HealthStatus.Degraded, Description: { } why }
                && why.Contains($"{PartitionCount} partitions have fewer copies", StringComparison.Ordinal),
            WaitBudget);
        await first.Tallies.PutAsync("k", new Tally { Count = 1 });
        await fixture.StartAsync("n2", options => options.Backups = 1);
        await Eventually.TrueAsync(async () => await ReadAsync(first) is { Status: HealthStatus.Healthy }, WaitBudget);

        // A node writes its line after it has taken the table over, by which health is judged.
        await Eventually.TrueAsync(
            () => fixture.Logs.Entries.Any(entry => entry.Event.Id == CopiesComplete), WaitBudget);
    }

    [Fact]
    [Trait("Case", "replica-sets")]
    public async Task Start_StateHasAnotherNumberOfBackupsInTheCluster_DoesNotStartAndSaysWhatToDo()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(HostFailed);
        var first = await fixture.StartAsync("n1");
        var failure = await Assert.ThrowsAsync<ClusterStartException>(
            () => fixture.StartAsync("n2", options => options.Backups = 2));
        Assert.Equal(ClusterExitCode.StoreIncompatible, failure.ExitCode);
        Assert.Contains(
            "State 'tallies' has 0 backups in this cluster, and 2 on this node", failure.Message, StringComparison.Ordinal);
        Assert.Equal("Set the Backups of the state, or Cluster:Backups, to 0.", failure.Remedy);
        Assert.Single(first.Table.Members);
    }

    private static async Task<HealthReportEntry> ReadAsync(TestNode node) =>
        (await node.Host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["cluster-ready"];
}
