using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>The exit code of a node that stops.</summary>
[Trait("Case", "repair-D")]
public sealed class DrainExitTests(ITestOutputHelper output)
{
    private const int LeftBehind = 5006;

    [Fact]
    public async Task Node_StopsBeforeEverythingIsHandedOver_EndsWithTheDocumentedCodeAndSaysItOnce()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(static _ => true);
        var stays = await fixture.StartAsync("n1", options => options.InitialNodeCount = 2);
        var leaves = await fixture.StartAsync("n2", options =>
        {
            options.InitialNodeCount = 2;
            options.DrainTimeout = TimeSpan.FromMilliseconds(1);
        });
        await WaitUntilOwnedAsync([stays, leaves], 2);
        Assert.False(await leaves.Cluster.DrainAsync());
        await leaves.StopAsync();
        Assert.Equal((int)ClusterExitCode.DrainIncomplete, leaves.ExitCode);
        Assert.InRange(fixture.Logs.Entries.Count(entry => entry.Event.Id == LeftBehind), 1, 1);
    }

    [Fact]
    public async Task Node_HandsEverythingOverOrIsTheLastOne_EndsWithZero()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(LeftBehind);
        var nodes = await fixture.StartTogetherAsync("n1", "n2");
        await nodes[1].StopAsync();
        await WaitUntilOwnedAsync([nodes[0]], 1);
        Assert.False(await nodes[0].Cluster.DrainAsync());
        await nodes[0].StopAsync();
        Assert.Equal((0, 0), (nodes[0].ExitCode, nodes[1].ExitCode));
        Assert.Single(fixture.Logs.Entries, entry => entry.Event.Id == LeftBehind);
    }
}
