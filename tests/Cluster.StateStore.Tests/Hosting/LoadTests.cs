using Cluster.StateStore.Hosting;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>A missing value is loaded once in the cluster, and never replaces a newer one.</summary>
public sealed class LoadTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait("Case", "replica-load")]
    public async Task GetOrAdd_ManyCallersOnAllNodes_LoadOnceAndGiveAllTheValue(int backups)
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, partitions: 4, backups: backups);
        var loads = 0;
        for (var key = 0L; key < 8; key++)
        {
            var (gate, before) = (new TaskCompletionSource(), loads);
            var callers = Enumerable.Range(0, 30).Select(caller => Task.Run(async () => await ClientOf(cluster[caller % 3])
                .GetOrAddAsync(key, async (asked, _) =>
                {
                    Interlocked.Increment(ref loads);
                    await gate.Task;
                    return $"loaded {asked}";
                }))).ToArray();
            await Eventually.TrueAsync(() => Volatile.Read(ref loads) > before, Bound);
            gate.SetResult();
            var values = await Task.WhenAll(callers).WaitAsync(Bound);
            Assert.All(values, value => Assert.Equal($"loaded {key}", value));
            Assert.Equal(before + 1, loads);
        }
    }

    [Fact]
    [Trait("Case", "replica-load")]
    public async Task GetOrAdd_LoadFails_TheNextCallerLoads()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 1);
        var (first, second) = (ClientOf(cluster[0]), ClientOf(cluster[1]));
        var began = new TaskCompletionSource();
        var fail = new TaskCompletionSource();
        var failing = first.GetOrAddAsync(1, async (_, _) =>
        {
            began.SetResult();
            await fail.Task;
            throw new InvalidOperationException("no database");
        }).AsTask();
        await began.Task.WaitAsync(Bound);
        var waiting = second.GetOrAddAsync(1, (_, _) => new("loaded")).AsTask();
        fail.SetResult();
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => failing);
        Assert.Equal("no database", failure.Message);
        Assert.Equal("loaded", await waiting.WaitAsync(Bound));
        Assert.Equal("loaded", await first.GetOrAddAsync(1, (_, _) => throw new InvalidOperationException()));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Case", "replica-load")]
    public async Task GetOrAdd_KeyWrittenMeanwhile_IsNotReplacedByTheOlderValue(bool isRemoved)
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 2, partitions: 1, backups: 1);
        var (texts, loads) = (ClientOf(cluster[0]), 0);
        var value = await texts.GetOrAddAsync(1, async (_, time) =>
        {
            if (loads++ > 0)
                return "new";
            await ClientOf(cluster[1]).PutAsync(1, "written", cancellationToken: time);
            if (isRemoved)
                await ClientOf(cluster[1]).RemoveAsync(1, time);
            return "old";
        });
        var expected = isRemoved ? ("new", 2) : ("written", 1);
        Assert.Equal(expected, (value, loads));
        Assert.Equal(expected.Item1, await texts.GetAsync(1));
    }

    [Fact]
    public async Task GetOrAdd_LoadGivesNothing_StoresNothing()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 1, partitions: 1);
        var texts = ClientOf(cluster[0]);
        Assert.Null(await texts.GetOrAddAsync(1, (_, _) => default));
        Assert.Equal("loaded", await texts.GetOrAddAsync(1, (_, _) => new("loaded")));
    }

    [Fact]
    public async Task GetOrAdd_CallerGivesUp_OthersGetTheValue()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 1, partitions: 1);
        var (texts, gate) = (ClientOf(cluster[0]), new TaskCompletionSource());
        using var ended = new CancellationTokenSource();
        var first = texts.GetOrAddAsync(1, async (_, _) =>
        {
            await gate.Task;
            return "loaded";
        }, cancellationToken: ended.Token).AsTask();
        var second = texts.GetOrAddAsync(1, (_, _) => throw new InvalidOperationException()).AsTask();
        await ended.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        gate.SetResult();
        Assert.Equal("loaded", await second.WaitAsync(Bound));
    }

    /// <summary>The owner that gave the right dies; the next one knows of no right.</summary>
    [Fact]
    [Trait("Case", "replica-load")]
    public async Task GetOrAdd_OwnerKilledWhileLoading_LoadsAnew()
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 3, partitions: 1, backups: 1);
        var owner = cluster.OwnerOf(new PartitionId(0));
        var (texts, loads) = (ClientOf(cluster.OtherThan(owner)), 0);
        var value = await texts.GetOrAddAsync(1, async (_, _) =>
        {
            if (++loads == 1)
            {
                owner.Kill();
                await cluster.UntilAsync(() => cluster.OwnerOf(new PartitionId(0)) != owner);
            }

            return $"load {loads}";
        });
        Assert.Equal(("load 2", 2), (value, loads));
        Assert.Equal("load 2", await texts.GetAsync(1));
    }

    private static StateClient<long, string> ClientOf(SimulatedNode node) => new(SimulatedCluster.Texts, node.Router);
}
