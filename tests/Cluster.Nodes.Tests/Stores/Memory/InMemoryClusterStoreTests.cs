using Cluster.Nodes.Stores.Memory;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Memory;

/// <summary>Behaviour of the in-memory store alone.</summary>
public sealed class InMemoryClusterStoreTests
{
    private static CancellationToken None => CancellationToken.None;

    [Fact]
    public async Task Hubs_Different_ShareNothing()
    {
        await using var here = new InMemoryClusterStore(new InMemoryClusterHub(), "shop", TimeProvider.System);
        await using var there = new InMemoryClusterStore(new InMemoryClusterHub(), "shop", TimeProvider.System);
        await here.CreateAsync(StoreTables.NewMeta("shop"), None);

        Assert.Null(await there.ReadMetaAsync(None));
    }

    /// <summary>Two nodes may both find no cluster and then both create one.</summary>
    [Fact]
    public async Task Create_ByTwoAtOnce_AgainAndAgain_OneStandsForBoth()
    {
        for (var round = 0; round < 10_000; round++)
        {
            var hub = new InMemoryClusterHub();
            using var together = new Barrier(2);
            var created = await Task.WhenAll(CreateAsync(hub, together), CreateAsync(hub, together));
            Assert.Equal(created[0], created[1]);
        }

        static Task<ClusterMeta> CreateAsync(InMemoryClusterHub hub, Barrier together) => Task.Run(async () =>
        {
            await using var store = new InMemoryClusterStore(hub, "shop", TimeProvider.System);
            together.SignalAndWait(None);
            return await store.CreateAsync(StoreTables.NewMeta("shop"), None);
        });
    }

    [Fact]
    public async Task Life_Withdrawn_IsProvenDeadAndNotBornAgain()
    {
        await using var store = new InMemoryClusterStore(new InMemoryClusterHub(), "shop", TimeProvider.System);
        var node = NodeId.NewIncarnation("a");
        var registration = await store.RegisterAsync(node, "http://127.0.0.1:1", None);
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.RegisterAsync(node, "http://127.0.0.1:1", None).AsTask());

        await registration.DisposeAsync();

        Assert.True(await store.IsProvenDeadAsync(node, None));
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => store.RegisterAsync(node, "http://127.0.0.1:1", None).AsTask());
    }

    [Fact]
    public async Task Wait_NothingChanges_EndsAtItsLimit()
    {
        var time = new ManualTimeProvider();
        await using var store = new InMemoryClusterStore(new InMemoryClusterHub(), "shop", time);
        await store.CreateAsync(StoreTables.NewMeta("shop"), None);
        var waiting = store.WaitForChangeAsync(1, None).AsTask();
        await time.WaitForTimersAsync();

        time.Advance(InMemoryClusterStore.WatchWait);

        Assert.Equal(1, (await waiting.WaitAsync(TimeSpan.FromMinutes(1))).Version);
    }
}
