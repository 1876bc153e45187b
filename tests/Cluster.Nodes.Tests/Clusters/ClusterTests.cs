using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

public sealed class ClusterTests(ITestOutputHelper output)
{
    private const int LeftBehind = 5006;
    private const int StoreUnreachable = 5030;

    [Theory]
    [InlineData(StoreKind.Memory)]
    [InlineData(StoreKind.File)]
    public async Task ThreeNodes_StartedTogether_ShareAllPartitionsEvenly(StoreKind kind)
    {
        await using var fixture = new ClusterFixture(kind, output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2", "n3");
        var table = nodes[0].Table;
        foreach (var member in table.Members)
            Assert.InRange(table.Partitions.Count(entry => entry.Primary == member.Slot), 18, 24);
        Assert.All(table.Partitions, entry => Assert.Equal((1L, 0), (entry.Epoch.Value, entry.LossCount)));
        Assert.Equal(["n1", "n2", "n3"], nodes[1].Cluster.Nodes.Select(member => member.Node.Name).Order());
    }

    [Theory]
    [InlineData(StoreKind.Memory)]
    [InlineData(StoreKind.File)]
    [Trait("Case", "glue-88")]
    public async Task State_WrittenAnywhere_IsReadAndUpdatedEverywhere(StoreKind kind)
    {
        await using var fixture = new ClusterFixture(kind, output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2", "n3");
        for (var index = 0; index < 60; index++)
        {
            var (writer, reader) = (nodes[index % 3], nodes[(index + 1) % 3]);
            await writer.Tallies.PutAsync($"key-{index}", new Tally { Count = index });
            Assert.Equal(index, (await reader.Tallies.GetAsync($"key-{index}"))!.Count);
            Assert.Equal(index + 1, await nodes[(index + 2) % 3].Tallies.UpdateAsync($"key-{index}", new CountUp(reader.Name)));
        }

        Assert.True(await nodes[0].Tallies.RemoveAsync("key-7"));
        Assert.Null(await nodes[1].Tallies.GetAsync("key-7"));
        Assert.Equal(3, Enumerable.Range(0, 60).Select(i => nodes[0].Cluster.OwnerOf("tallies", $"key-{i}")!.Node).Distinct().Count());
    }

    [Theory]
    [InlineData(StoreKind.Memory)]
    [InlineData(StoreKind.File)]
    [Trait("Case", "glue-88")]
    public async Task Node_JoiningLater_GetsItsShareWithEverythingInIt(StoreKind kind)
    {
        await using var fixture = new ClusterFixture(kind, output);
        var nodes = (await fixture.StartTogetherAsync("n1", "n2")).ToList();
        await FillAsync(nodes[0], 500);
        nodes.Add(await fixture.StartAsync("n3"));
        await WaitUntilOwnedAsync(nodes, 3);
        foreach (var node in nodes)
            await CheckFilledAsync(node, 500);
        Assert.All(nodes[2].Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
        var status = await nodes[0].Cluster.GetStatusAsync(nodes[2].Cluster.Self);
        Assert.InRange(status.StateEntries[0], 50, 300);
        Assert.Equal(status.StateEntries[0], status.PartitionEntries.Sum());
    }

    [Fact]
    public async Task Client_OwnsNothingAndReachesEverything()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2");
        var client = await fixture.StartAsync("front", options => options.Role = ClusterRole.Client);
        await FillAsync(client, 100);
        await CheckFilledAsync(nodes[1], 100);
        Assert.Equal(2, client.Table.Members.Length);
        Assert.Equal(ClusterRole.Client, client.Cluster.Role);
        Assert.True(await client.Cluster.DrainAsync());
    }

    [Fact]
    public async Task Service_IsCalledWhereItIsOffered_AndLocallyWhereItIsOfferedHere()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var first = await fixture.Create("n1").OfferGreeter().StartAsync();
        var second = await fixture.Create("n2").OfferGreeter().StartAsync();
        var third = await fixture.StartAsync("n3");
        await WaitUntilOwnedAsync([first, second, third], 3);
        Assert.Equal("n1 greets you", await first.Greeter.GreetAsync("you"));
        Assert.Equal("n2 greets you", await second.Greeter.GreetAsync("you"));
        var answers = new List<string>();
        for (var call = 0; call < 40; call++)
            answers.Add(await third.Greeter.GreetAsync("you"));
        Assert.Equal(["n1 greets you", "n2 greets you"], answers.Distinct().Order());
    }

    [Fact]
    public async Task Service_OfferedByNobody_IsUnreachableAndNotDelivered()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var node = await fixture.StartAsync("n1");
        var failure = await Assert.ThrowsAsync<GlueException>(async () => await node.Greeter.GreetAsync("you"));
        Assert.Equal((GlueErrorKind.Unreachable, GlueDelivery.NotDelivered), (failure.Kind, failure.Delivery));
    }

    [Fact]
    public async Task Node_StoreThatMissesAnAnswer_JoinsAllTheSame()
    {
        await using var fixture = new ClusterFixture(StoreKind.Unsteady, output);
        fixture.Logs.Allow(StoreUnreachable);
        var node = await fixture.StartAsync("n1");
        await WaitUntilOwnedAsync([node], 1);
    }

    [Fact]
    public async Task Node_AloneAndStopped_SaysOnlyThatItsPartitionsAreLost()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        fixture.Logs.Allow(LeftBehind);
        var node = await fixture.StartAsync("n1");
        await WaitUntilOwnedAsync([node], 1);
        await FillAsync(node, 100);
        await node.StopAsync();
        Assert.Contains(fixture.Logs.Entries, entry => entry.Event.Id == LeftBehind);
    }

    [Fact]
    public async Task Events_TellJoinMoveAndLeave()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var first = await fixture.StartAsync("n1");
        await WaitUntilOwnedAsync([first], 1);
        using var stop = new CancellationTokenSource();
        var events = new List<ClusterEvent>();
        var watching = WatchAsync(first.Cluster.WatchAsync(stop.Token), events);
        var second = await fixture.StartAsync("n2");
        await WaitUntilOwnedAsync([first, second], 2);
        await second.StopAsync();
        await Eventually.TrueAsync(() => Has(events, ClusterEventKind.NodeLeft), WaitBudget);
        await stop.CancelAsync();
        await watching;
        Assert.True(Has(events, ClusterEventKind.NodeJoined));
        Assert.True(Has(events, ClusterEventKind.PartitionsMoved));
        Assert.True(Has(events, ClusterEventKind.NodeDraining));
        Assert.False(Has(events, ClusterEventKind.PartitionsLost));
    }

    private static bool Has(List<ClusterEvent> events, ClusterEventKind kind)
    {
        lock (events)
            return events.Exists(happened => happened.Kind == kind);
    }

    private static async Task WatchAsync(IAsyncEnumerable<ClusterEvent> source, List<ClusterEvent> events)
    {
        try
        {
            await foreach (var happened in source)
            {
                lock (events)
                    events.Add(happened);
            }
        }
        catch (OperationCanceledException)
        {
            // The test cancels the watch when it ends.
        }
    }
}
