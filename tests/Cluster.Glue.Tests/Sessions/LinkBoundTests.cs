using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>What a link waits for, and how much it carries at once: neither without end.</summary>
[WithCanaryArrays]
public sealed class LinkBoundTests : DisturbedLinkTests
{
    [Fact]
    [Trait("Case", "glue-20")]
    public async Task TransfersThatDoNotFitTogether_WaitForRoom()
    {
        var graphs = Proxy<IGraphs>();
        // Sixteen of them at once would be sixteen times the limit of a message, both ways.
        var all = Enumerable.Range(0, 32).Select(i => new byte[900_000 + i]).ToArray();
        var echoed = await Task.WhenAll(all.Select(graphs.EchoBytesAsync)).WaitAsync(Bound);
        Assert.Equal(all.Select(one => one.Length), echoed.Select(one => one.Length));
        Assert.Equal(3, Faults.StreamCount);
    }

    [Fact]
    [Trait("Case", "glue-79")]
    public async Task JoinThatIsNotAnswered_IsGivenUpInTime_AndTriedAgain()
    {
        await using var client = Connect(options => options.ConnectTimeout = TimeSpan.FromSeconds(2));
        var counter = client.CreateProxy<ISharedCounter>(Host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        // The next stream of each substream says nothing.
        Faults.Hold(3);
        Faults.Hold(4);
        Faults.Cut();
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.True(Faults.StreamCount > 4);
    }

    private protected override Task<GlueHost> StartHostAsync() =>
        GlueHost.StartAsync(options => options.MaxMessageBytes = 1_000_000);
}
