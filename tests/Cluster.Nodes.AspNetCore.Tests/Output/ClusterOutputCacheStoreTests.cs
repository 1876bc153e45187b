using System.IO.Pipelines;
using Cluster.Nodes.AspNetCore.Tests.Caching;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Testing;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.AspNetCore.Tests.Output;

/// <summary>The store of the output cache on two nodes.</summary>
public sealed class ClusterOutputCacheStoreTests : IAsyncLifetime
{
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);
    private static readonly CancellationToken None = CancellationToken.None;

    private readonly WebCluster _cluster = new();

    private IOutputCacheStore First => StoreOf(0);

    private IOutputCacheStore Second => StoreOf(1);

    public Task InitializeAsync() => _cluster.StartAsync(
        2, static (_, cluster) => cluster.AddOutputCacheStore("pages", static pages => pages.MaxValueBytes = 100_000));

    public Task DisposeAsync() => _cluster.DisposeAsync().AsTask();

    [Fact]
    public async Task Response_OfOneNode_IsFoundByBoth_InBothForms()
    {
        for (var owner = 0; owner < 2; owner++)
        {
            var key = _cluster.FindKey("pages", owner, "page-");
            Assert.Null(await Second.GetAsync(key, None));
            await First.SetAsync(key, [1, 2], null, Long, None);
            Assert.Equal([1, 2], await First.GetAsync(key, None));
            Assert.Equal([1, 2], await Second.GetAsync(key, None));
            await ((IOutputCacheBufferStore)Second).SetAsync(key, Parts.Of(3, 2), default, Long, None);
            Assert.Equal(Parts.Of(3, 2).ToArray(), await ReadAsync(First, key));
        }
    }

    [Fact]
    public async Task TryGet_OfAMissingKey_WritesNothing() => Assert.Null(await ReadAsync(First, "missing"));

    [Fact]
    public async Task Response_IsGone_WhenItsTimeIsOver()
    {
        await First.SetAsync("short", [1], ["tag"], TimeSpan.FromMilliseconds(300), None);
        await Eventually.TrueAsync(
            async () => await Second.GetAsync("short", None) is null, TimeSpan.FromSeconds(30));
    }

    [Fact]
    public async Task EvictByTag_TakesEveryEntryOfTheTag_AndNoOther()
    {
        for (var number = 0; number < 40; number++)
            await StoreOf(number % 2).SetAsync($"page-{number}", [(byte)number], TagsOf(number), Long, None);
        await Second.EvictByTagAsync("odd", None);
        for (var number = 0; number < 40; number++)
        {
            var expected = number % 2 == 1 ? null : new[] { (byte)number };
            Assert.Equal(expected, await First.GetAsync($"page-{number}", None));
            Assert.Equal(expected, await Second.GetAsync($"page-{number}", None));
        }

        await First.EvictByTagAsync("all", None);
        for (var number = 0; number < 40; number++)
            Assert.Null(await Second.GetAsync($"page-{number}", None));

        static string[] TagsOf(int number) => ["all", number % 2 == 1 ? "odd" : "even"];
    }

    [Fact]
    public async Task Response_StoredAfterAnEviction_Counts()
    {
        await First.EvictByTagAsync("tag", None);
        await First.SetAsync("page", [1], ["tag"], Long, None);
        await Second.EvictByTagAsync("tag", None);
        await Second.EvictByTagAsync("tag", None);
        await First.SetAsync("page", [2], ["tag"], Long, None);
        Assert.Equal([2], await Second.GetAsync("page", None));
    }

    // A write that began before an eviction and ends after it may count only if its stamp is newer than the eviction.
    // Afterwards one more eviction must always be enough.
    [Fact]
    public async Task EvictByTag_BesideWrites_LeavesNoneThatBeganBefore()
    {
        for (var round = 0; round < 50; round++)
        {
            var (key, tag) = ($"race-{round}", $"race-tag-{round}");
            await First.SetAsync(key, [0], [tag], Long, None);
            var writes = Enumerable.Range(1, 4)
                .Select(number => Task.Run(async () =>
                    await StoreOf(number % 2).SetAsync(key, [(byte)number], [tag], Long, None)))
                .ToArray();
            await Second.EvictByTagAsync(tag, None);
            Assert.NotEqual([0], await First.GetAsync(key, None));
            await Task.WhenAll(writes);
            await First.EvictByTagAsync(tag, None);
            Assert.Null(await First.GetAsync(key, None));
            Assert.Null(await Second.GetAsync(key, None));
        }
    }

    [Fact]
    public async Task KeysAndTags_OfAnyLength_Work()
    {
        var (key, tag) = (new string('k', 100_000), new string('t', 50_000));
        await First.SetAsync(key, [1], [tag], Long, None);
        Assert.Equal([1], await Second.GetAsync(key, None));
        Assert.Null(await Second.GetAsync(key + "k", None));
        await Second.EvictByTagAsync(tag, None);
        Assert.Null(await First.GetAsync(key, None));
    }

    [Fact]
    public async Task Response_TooLarge_IsRefused_WithTheOption()
    {
        var error = await Assert.ThrowsAsync<CacheLimitException>(
            async () => await First.SetAsync("large", new byte[100_001], null, Long, None));
        Assert.Equal(("MaxValueBytes", 100_000L, 100_001L), (error.Option, error.Limit, error.Found));
        await First.SetAsync("large", new byte[100_000], ["tag"], Long, None);
        Assert.Equal(100_000, (await Second.GetAsync("large", None))!.Length);
    }

    [Fact]
    public async Task Null_AndNoTime_AreRefused()
    {
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await First.GetAsync(null!, None));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await First.SetAsync(null!, [1], null, Long, None));
        await Assert.ThrowsAsync<ArgumentNullException>(
            async () => await First.SetAsync("key", null!, null, Long, None));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await First.EvictByTagAsync(null!, None));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            async () => await First.SetAsync("key", [1], null, TimeSpan.Zero, None));
    }

    [Fact]
    public void Options_ThatCannotWork_AreListedAtOnce()
    {
        var cluster = Host.CreateEmptyApplicationBuilder(null).AddCluster(static options => options.Name = "test");
        var error = Assert.Throws<ArgumentException>(() => cluster.AddOutputCacheStore(
            "bad", static store => (store.MaxValueBytes, store.Backups) = (0, -1)));
        Assert.Equal(
            "Output cache 'bad': MaxValueBytes is 0; it must be from 1 to 66060288; Backups is -1; it must be from 0 "
            + "to 3.",
            error.Message);
    }

    private static async Task<byte[]?> ReadAsync(IOutputCacheStore store, string key)
    {
        var output = new MemoryStream();
        var writer = PipeWriter.Create(output, new StreamPipeWriterOptions(leaveOpen: true));
        var isFound = await ((IOutputCacheBufferStore)store).TryGetAsync(key, writer, None);
        await writer.CompleteAsync();
        Assert.Equal(isFound, output.Length > 0);
        return isFound ? output.ToArray() : null;
    }

    private IOutputCacheStore StoreOf(int node) =>
        _cluster.Nodes[node].Services.GetRequiredService<IOutputCacheStore>();
}
