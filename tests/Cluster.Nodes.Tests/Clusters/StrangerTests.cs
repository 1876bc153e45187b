using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Nodes.Status;
using Cluster.StateStore.Messages;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A process that does not know the cluster's secret can do nothing at the ports of a node.</summary>
[Trait("Case", "repair-A3")]
public sealed class StrangerTests(ITestOutputHelper output)
{
    private const int ConnectionRefused = 1005;
    private const int OneWayRefused = 1009;
    private const int Strangers = 4;

    [Theory]
    [InlineData(StoreKind.Memory)]
    [InlineData(StoreKind.File)]
    public async Task ForgedPeerMessages_WhileOthersWork_ChangeNothingAndStopNothing(StoreKind kind)
    {
        await using var fixture = new ClusterFixture(kind, output);
        var nodes = await fixture.StartTogetherAsync("n1", "n2");
        var table = nodes[0].Table;
        using var done = new CancellationTokenSource();
        var refused = 0;
        var forging = Enumerable.Range(0, Strangers).Select(index => Task.Run(async () =>
        {
            var transport = index % 2 == 0 ? GlueTransport.Unary : GlueTransport.Link;
            for (var number = 0; !done.IsCancellationRequested; number++)
            {
                // A client remembers per link which calls were refused. A new client asks the node again.
                await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
                var peer = client.CreateProxy<IStatePeer>(table.Members[number % 2].Address);
                var failure = await Assert.ThrowsAsync<GlueException>(() => ForgeAsync(peer, number));
                Assert.Equal((GlueErrorCode.PeersOnly, GlueDelivery.NotDelivered), (failure.Code, failure.Delivery));
                Interlocked.Increment(ref refused);
            }
        })).ToArray();

        // The cluster goes on working while the node refuses hundreds of messages.
        var counted = 0;
        var clock = Stopwatch.StartNew();
        while (Volatile.Read(ref refused) < 200 || counted < 500)
        {
            Assert.True(clock.Elapsed < WaitBudget, $"{refused} refusals and {counted} updates after {WaitBudget}");
            Assert.Equal(++counted, await nodes[counted % 2].Tallies.UpdateAsync("counter", new CountUp("test")));
        }

        await done.CancelAsync();
        await Task.WhenAll(forging);
        output.WriteLine($"{counted} updates beside {refused} forged messages in {clock.Elapsed}");
        Assert.Equal(table.Version, nodes[0].Table.Version);
        foreach (var member in table.Members)
        {
            var status = await nodes[0].Cluster.GetStatusAsync(member.Node);
            Assert.Equal(table.Partitions.Count(entry => entry.Primary == member.Slot), status.Partitions.Length);
        }
    }

    [Fact]
    public async Task StatusContract_IsForPeersAlone()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        var node = await fixture.StartAsync("n1");
        await using var client = new GlueClient(new GlueClientOptions());
        var status = client.CreateProxy<INodeStatus>(node.Cluster.Nodes[0].Address);
        var failure = await Assert.ThrowsAsync<GlueException>(async () => await status.GetAsync(default));
        Assert.Equal(GlueErrorCode.PeersOnly, failure.Code);
    }

    /// <summary>A frame could make a node believe that another one holds a lease, so no stranger may send one.</summary>
    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task FramesContract_IsForPeersAlone(GlueTransport transport)
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        fixture.Logs.Allow(OneWayRefused);
        var node = await fixture.StartAsync("n1");
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        var frames = client.CreateProxy<IStateFrames>(node.Cluster.Nodes[0].Address);

        // The caller of a one-way call hears of a refusal only where the link has bound the method.
        var failure = await Record.ExceptionAsync(() => frames.DeliverAsync([1], CancellationToken.None));
        if (failure is null)
            await fixture.Logs.WaitForAsync(OneWayRefused, WaitBudget);
        else
            Assert.Equal(GlueErrorCode.PeersOnly, Assert.IsType<GlueException>(failure).Code);
    }

    [Fact]
    public async Task SecretOrClusterThatIsAnother_IsNotAuthenticated()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(ConnectionRefused);
        var node = await fixture.StartAsync("n1");
        var address = node.Cluster.Nodes[0].Address;
        await CheckAsync(new GlueSecret("another secret, which is long enough"), null);
        await CheckAsync(Secret, Guid.NewGuid().ToString());

        async Task CheckAsync(GlueSecret secret, string? realm)
        {
            var identity = new GluePeerIdentity { Secrets = { secret }, Realm = realm ?? "" };
            await using var client = new GlueClient(new GlueClientOptions { PeerIdentity = identity });
            var failure = await Assert.ThrowsAsync<GlueException>(
                () => ForgeAsync(client.CreateProxy<IStatePeer>(address), 1));
            Assert.Equal(GlueErrorCode.PeerNotAuthenticated, failure.Code);
        }
    }

    [Fact]
    public async Task Secret_ChangedByARollingRestart_NodesUnderstandEachOtherAllTheTime()
    {
        GlueSecret young = new("the secret that comes after the other"), old = Secret;
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        var first = await fixture.StartAsync("n1", options => (options.Secret, options.AlternateSecret) = (old, young));
        var second = await fixture.StartAsync("n2", options => (options.Secret, options.AlternateSecret) = (young, old));
        await WaitUntilOwnedAsync([first, second], 2);
        var third = await fixture.StartAsync("n3", options => (options.Secret, options.AlternateSecret) = (old, young));
        await WaitUntilOwnedAsync([first, second, third], 3);
        foreach (var writer in new[] { first, second, third })
        {
            for (var index = 0; index < 30; index++)
                await writer.Tallies.PutAsync($"k{index}", new Tally { Count = index });
        }
    }

    [Fact]
    public async Task PeerListenAddress_NodesUseItAndNothingOfThemIsServedElsewhere()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        fixture.Logs.Allow(ConnectionRefused);
        void Separate(ClusterOptions options) => options.PeerListenAddress = "http://127.0.0.1:0";
        TestNode[] nodes =
            [await fixture.Create("n1", Separate).OfferGreeter().StartAsync(), await fixture.StartAsync("n2", Separate)];
        await WaitUntilOwnedAsync(nodes, 2);
        for (var index = 0; index < 60; index++)
        {
            await nodes[0].Tallies.PutAsync($"k{index}", new Tally { Count = index });
            Assert.Equal(index, (await nodes[1].Tallies.GetAsync($"k{index}"))!.Count);
        }

        Assert.Equal("n1 greets you", await nodes[1].Greeter.GreetAsync("you"));
        var member = nodes[0].Table.Members[0];
        Assert.NotNull(member.PeerAddress);
        Assert.NotEqual(member.Address, member.PeerAddress);
        foreach (var address in new[] { member.Address, member.PeerAddress })
        {
            await using var client = new GlueClient(new GlueClientOptions());
            var failure = await Assert.ThrowsAsync<GlueException>(
                () => ForgeAsync(client.CreateProxy<IStatePeer>(address), 1));
            Assert.Equal(GlueErrorKind.Refused, failure.Kind);
        }
    }

    private static Task<StateReply> ForgeAsync(IStatePeer peer, int number) => peer.ExecuteAsync(
        new StateRequest
        {
            Verb = StateVerb.Get, Partition = number % PartitionCount, Epoch = 1_000_000 + number, Key = [1, 2, 3],
        },
        CancellationToken.None).AsTask();
}
