using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Hosting.Feeds;

/// <summary>Values of other nodes that a process keeps.</summary>
public sealed class NearCacheTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private static readonly StateDefinition<string, int?> Near = StateDefinition.Create<string, int?>(
        "near",
        s =>
        {
            s.NearCacheBytes = 4 << 20;
            s.AllowOperation<Increment>();
        });

    private static readonly StateCatalog Catalog = new([Near]);

    [Fact]
    [Trait("Case", "replica-near")]
    public async Task Get_AgainAndAgain_NeedsOneCall_AndAChangeOfAnotherIsSeen()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 4, catalog: Catalog);
        var (here, there) = (new StateClient<string, int?>(Near, cluster[0].Router), ClientOf(cluster[1]));
        await using var router = cluster[0].Router;
        var key = cluster.KeyOn(Near, cluster[1]);
        await there.PutAsync(key, 1);
        await Eventually.TrueAsync(() => IsKeptAsync(cluster, here, key), Bound);
        for (var value = 2; value < 30; value++)
        {
            await there.PutAsync(key, value);
            await Eventually.TrueAsync(async () => await here.GetAsync(key) == value, Bound);
        }

        await there.RemoveAsync(key);
        await Eventually.TrueAsync(async () => await here.GetAsync(key) is null, Bound);
    }

    [Fact]
    [Trait("Case", "replica-near")]
    public async Task Write_OfTheProcessItself_IsSeenAtOnce()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 4, catalog: Catalog);
        var here = ClientOf(cluster[0]);
        await using var router = cluster[0].Router;
        var key = cluster.KeyOn(Near, cluster[1]);
        await here.PutAsync(key, 0);
        await Eventually.TrueAsync(() => IsKeptAsync(cluster, here, key), Bound);
        for (var value = 1; value < 100; value++)
        {
            if (value % 2 == 0)
                await here.PutAsync(key, value);
            else
                Assert.Equal(value, await here.UpdateAsync(key, default(Increment)));
            Assert.Equal(value, await here.GetAsync(key));
            Assert.Equal(value, await here.GetAsync(key));
        }
    }

    [Fact]
    [Trait("Case", "cluster-F29")]
    public async Task WatchReplyLostAndRepeated_NoValueIsOlderThanTwoSeconds()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 4, catalog: Catalog);
        var (here, there) = (ClientOf(cluster[0]), ClientOf(cluster[1]));
        await using var router = cluster[0].Router;
        var key = cluster.KeyOn(Near, cluster[1]);
        await cluster.RunAsync(there.PutAsync(key, 0));
        await KeepAsync(cluster, here, key);

        // The node has made a reply before the change, and repeats it long afterwards.
        cluster.LosesWatchReply = static _ => true;
        await PassAsync(cluster, TimeSpan.FromSeconds(0.7));
        await cluster.RunAsync(there.PutAsync(key, 1));
        await PassAsync(cluster, TimeSpan.FromSeconds(2.1));
        var arrived = 0;
        cluster.LosesWatchReply = _ => Interlocked.Increment(ref arrived) > 1;
        for (var step = 0; step < 100; step++)
        {
            Assert.Equal(1, await cluster.RunAsync(here.GetAsync(key)));
            await PassAsync(cluster, TimeSpan.FromMilliseconds(20));
        }

        Assert.True(arrived > 0);
    }

    /// <summary>Concurrent reads and writes of few keys: no read is older than two seconds and the time of a
    /// step.</summary>
    [Fact]
    [Trait("Case", "cluster-F29")]
    public async Task WatchesCut_NoValueIsOlderThanTwoSeconds()
    {
        await using var cluster = new SimulatedCluster(nodes: 2, partitions: 4, catalog: Catalog);
        var (here, there) = (ClientOf(cluster[0]), ClientOf(cluster[1]));
        await using var router = cluster[0].Router;
        var key = cluster.KeyOn(Near, cluster[1]);
        await cluster.RunAsync(there.PutAsync(key, 0));
        await KeepAsync(cluster, here, key);
        cluster.AreWatchesCut = true;
        await cluster.RunAsync(there.PutAsync(key, 1));
        var written = cluster.Manual.Elapsed;
        while (await cluster.RunAsync(here.GetAsync(key)) != 1)
        {
            Assert.InRange(cluster.Manual.Elapsed - written, TimeSpan.Zero, TimeSpan.FromSeconds(2));
            cluster.Advance(TimeSpan.FromMilliseconds(20));
        }

        // When the watches are back, values are kept again.
        cluster.AreWatchesCut = false;
        for (var kept = false; !kept;)
        {
            cluster.Advance(TimeSpan.FromMilliseconds(20));
            var calls = cluster.CallCount;
            Assert.Equal(1, await cluster.RunAsync(here.GetAsync(key)));
            kept = cluster.CallCount == calls;
            await cluster.RunAsync(Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System));
        }
    }

    [Fact]
    public async Task Get_ValueWithASlidingWindow_IsNeverKept()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 4, catalog: Catalog);
        var here = ClientOf(cluster[0]);
        await using var router = cluster[0].Router;
        var (plain, sliding) = (cluster.KeyOn(Near, cluster[1]), cluster.KeyOn(Near, cluster[1], "s"));
        await here.PutAsync(plain, 0);
        await here.PutAsync(sliding, 0, StateExpiry.Sliding(TimeSpan.FromMinutes(5)));
        await Eventually.TrueAsync(() => IsKeptAsync(cluster, here, plain), Bound);
        Assert.False(await IsKeptAsync(cluster, here, sliding));
        Assert.False(await IsKeptAsync(cluster, here, sliding));
    }

    [Theory]
    [InlineData(1_000, false, "NearCacheBytes is 1000")]
    [InlineData(4 << 20, true, "Strict")]
    public void NearCacheBytes_ThatCannotBe_IsRefused(long bytes, bool isStrict, string part)
    {
        var failure = Assert.Throws<ArgumentException>(() => StateDefinition.Create<string, int?>(
            "near",
            s =>
            {
                s.NearCacheBytes = bytes;
                s.Reads = isStrict ? StateReads.Strict : StateReads.Linearizable;
            }));
        Assert.Contains(part, failure.Message, StringComparison.Ordinal);
    }

    private static StateClient<string, int?> ClientOf(SimulatedNode node) => new(Near, node.Router);

    // Reads until the process has the value.
    private static async Task KeepAsync(SimulatedCluster cluster, StateClient<string, int?> here, string key)
    {
        for (var kept = false; !kept;)
        {
            var calls = cluster.CallCount;
            await cluster.RunAsync(here.GetAsync(key));
            kept = cluster.CallCount == calls;
            await cluster.RunAsync(Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System));
        }
    }

    private static async Task PassAsync(SimulatedCluster cluster, TimeSpan time)
    {
        for (var end = cluster.Manual.Elapsed + time; cluster.Manual.Elapsed < end;)
        {
            cluster.Advance(TimeSpan.FromMilliseconds(20));
            await cluster.RunAsync(Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System));
        }
    }

    private static async ValueTask<bool> IsKeptAsync(SimulatedCluster cluster, StateClient<string, int?> client, string key)
    {
        await client.GetAsync(key);
        var calls = cluster.CallCount;
        await client.GetAsync(key);
        return cluster.CallCount == calls;
    }
}
