using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A node that stops in order hands over what it has. These are the longest tests of a cluster, so they run
/// beside the others.</summary>
public sealed class OrderlyStopTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(StoreKind.Memory)]
    [InlineData(StoreKind.File)]
    [Trait("Case", "glue-87")]
    public async Task Node_StoppedInOrder_HandsEverythingOverWhileOthersWork(StoreKind kind)
    {
        await using var fixture = new ClusterFixture(kind, output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2", "n3");
        await FillAsync(nodes[0], 500);
        var leaver = nodes.First(node => !IsCoordinator(node));
        TestNode[] others = [.. nodes.Except([leaver])];
        using var done = new CancellationTokenSource();
        var working = CountUntilAsync(others, done.Token);
        await leaver.StopAsync();
        await WaitUntilOwnedAsync(others, 2);
        await done.CancelAsync();
        var acknowledged = await working;
        foreach (var node in others)
            await CheckFilledAsync(node, 500);
        Assert.Equal(acknowledged, (await others[1].Tallies.GetAsync("counter"))?.Count ?? 0);
        Assert.All(others[0].Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    [Theory]
    [InlineData(StoreKind.Memory)]
    [InlineData(StoreKind.File)]
    public async Task Coordinator_StoppedInOrder_HandsOverAndAnotherDecides(StoreKind kind)
    {
        await using var fixture = new ClusterFixture(kind, output);
        var nodes = (await fixture.StartTogetherAsync("n1", "n2")).ToList();
        await FillAsync(nodes[0], 200);
        var leaver = nodes.First(IsCoordinator);
        nodes.Remove(leaver);
        await leaver.StopAsync();
        nodes.Add(await fixture.StartAsync("n3"));
        await WaitUntilOwnedAsync(nodes, 2);
        foreach (var node in nodes)
            await CheckFilledAsync(node, 200);
    }

    private static bool IsCoordinator(TestNode node) =>
        node.Cluster.GetStatusAsync(node.Cluster.Self).AsTask().Result.IsCoordinator;

    private static async Task<int> CountUntilAsync(TestNode[] nodes, CancellationToken cancellationToken)
    {
        var acknowledged = 0;
        for (var index = 0; !cancellationToken.IsCancellationRequested; index++)
        {
            await nodes[index % nodes.Length].Tallies.UpdateAsync(
                "counter", new CountUp("test"), CancellationToken.None);
            acknowledged++;
        }

        return acknowledged;
    }
}
