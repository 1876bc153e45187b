using Cluster.Testing;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>When a node is killed, every other node reports the same loss.</summary>
[Trait("Case", "repair-C7")]
public sealed class LossTests(ITestOutputHelper output)
{
    private const int Lost = 5044;
    private const int EntryCount = 300;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Node_EndsWithoutAWord_EveryNodeTellsTheLastCountAndTheProof(bool isCoordinator)
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2", "n3");
        fixture.Logs.Allow(static _ => true);
        for (var index = 0; index < EntryCount; index++)
            await nodes[0].Tallies.PutAsync($"key-{index}", new Tally { Count = index });
        await Eventually.TrueAsync(
            () => nodes.All(node => node.CountedEntries == EntryCount), WaitBudget, "every node has counted every entry");
        var victim = nodes.First(node => node.IsCoordinator == isCoordinator);
        var count = victim.OwnEntries;
        TestNode[] others = [.. nodes.Except([victim])];
        using var enough = new CancellationTokenSource(WaitBudget, TimeProvider.System);
        var told = others.Select(node => FindLossAsync(node, enough.Token)).ToArray();
        await victim.DisposeAsync();

        var events = await Task.WhenAll(told);
        Assert.All(events, loss => Assert.Equal((victim.Name, (long?)count), (loss.Node!.Value.Name, loss.EntriesLost)));
        Assert.All(events, loss => Assert.Contains("proven by", loss.Reason, StringComparison.Ordinal));
        Assert.Single(events.Select(loss => loss.Reason).Distinct());
        await Eventually.TrueAsync(() => fixture.Logs.Entries.Count(entry => entry.Event.Id == Lost) == 2, WaitBudget);
        var lines = fixture.Logs.Entries.Where(entry => entry.Event.Id == Lost).Select(entry => entry.Message).Distinct();
        var line = Assert.Single(lines);
        Assert.Contains($"{count} entries", line, StringComparison.Ordinal);
        Assert.Contains("proven by", line, StringComparison.Ordinal);
    }

    private static async Task<ClusterEvent> FindLossAsync(TestNode node, CancellationToken cancellationToken)
    {
        await foreach (var happened in node.Cluster.WatchAsync(cancellationToken))
        {
            if (happened.Kind == ClusterEventKind.PartitionsLost)
                return happened;
        }

        throw new InvalidOperationException("The node tells no more.");
    }
}
