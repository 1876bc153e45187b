using Cluster.Nodes.AspNetCore.Hybrid;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Testing;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>The hybrid cache on three nodes.</summary>
public sealed class HybridClusterTests
{
    private static readonly TimeSpan LongestAge = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task GetOrCreate_ManyCallersOnThreeNodes_RunOneFactory()
    {
        await using var cluster = await StartAsync();
        for (var round = 0; round < 20; round++)
        {
            var (key, runs, go) = ($"page-{round}", 0, new TaskCompletionSource());
            var callers = CachesOf(cluster)
                .SelectMany(cache => Enumerable.Repeat(cache, 8))
                .Select(cache => Task.Run(async () => await cache.GetOrCreateAsync(key, async _ =>
                {
                    Interlocked.Increment(ref runs);
                    await go.Task;
                    return new Article { Name = key };
                })))
                .ToArray();
            await Eventually.TrueAsync(() => Volatile.Read(ref runs) > 0, WebCluster.WaitBudget);
            go.SetResult();
            Assert.All(await Task.WhenAll(callers), article => Assert.Equal(key, article.Name));
            Assert.Equal(1, runs);
        }
    }

    [Fact]
    public async Task SetAndRemove_OnOneNode_ReachTheOthers()
    {
        await using var cluster = await StartAsync();
        var caches = CachesOf(cluster);
        for (var owner = 0; owner < 3; owner++)
        {
            var key = cluster.FindKey(HybridEntry.StateName, owner, "key-");
            await caches[0].SetAsync(key, "first");
            foreach (var cache in caches)
                await EventuallyReadsAsync(cache, key, "first");
            await caches[1].SetAsync(key, "second");
            Assert.Equal("second", await ReadAsync(caches[1], key));
            foreach (var cache in caches)
                await EventuallyReadsAsync(cache, key, "second");
            await caches[2].RemoveAsync(key);
            var removed = Stopwatch.StartNew();
            foreach (var cache in caches)
                await CheckGoneAsync(cache, key, removed);
        }
    }

    [Theory]
    [InlineData("tag")]
    [InlineData("*")]
    public async Task RemoveByTag_OnOneNode_ReachesTheOthers(string removed)
    {
        await using var cluster = await StartAsync();
        var caches = CachesOf(cluster);
        var keys = Enumerable.Range(0, 3)
            .Select(owner => cluster.FindKey(HybridEntry.StateName, owner, "key-"))
            .ToArray();
        foreach (var key in keys)
            await caches[0].SetAsync(key, "value", tags: ["tag", "further"]);
        foreach (var (cache, key) in caches.SelectMany(cache => keys.Select(key => (cache, key))))
            await EventuallyReadsAsync(cache, key, "value");
        await caches[1].RemoveByTagAsync(removed);
        var since = Stopwatch.StartNew();
        foreach (var key in keys)
            Assert.Null(await ReadAsync(caches[1], key));
        foreach (var (cache, key) in caches.SelectMany(cache => keys.Select(key => (cache, key))))
            await CheckGoneAsync(cache, key, since);
        foreach (var cache in caches)
        {
            await cache.SetAsync(keys[0], "again", tags: ["tag"]);
            Assert.Equal("again", await ReadAsync(cache, keys[0]));
        }
    }

    private static async Task<WebCluster> StartAsync()
    {
        var cluster = new WebCluster();
        await cluster.StartAsync(3, static (_, node) => node.AddClusterHybridCache(HybridNode.SetOptions));
        return cluster;
    }

    private static HybridCache[] CachesOf(WebCluster cluster) =>
        [.. cluster.Nodes.Select(node => node.Services.GetRequiredService<HybridCache>())];

    private static async Task EventuallyReadsAsync(HybridCache cache, string key, string? value) =>
        await Eventually.TrueAsync(async () => await ReadAsync(cache, key) == value, WebCluster.WaitBudget);

    // A copy in a process is at most two seconds old. So each read that begins later finds nothing.
    private static Task CheckGoneAsync(HybridCache cache, string key, Stopwatch sinceRemoval) => Eventually.TrueAsync(
        async () =>
        {
            var isLate = sinceRemoval.Elapsed > LongestAge;
            var isGone = await ReadAsync(cache, key) is null;
            Assert.True(isGone || !isLate, $"{key} is still read {sinceRemoval.Elapsed} after its removal.");
            return isGone;
        },
        WebCluster.WaitBudget);

    private static async Task<string?> ReadAsync(HybridCache cache, string key) =>
        await cache.GetOrCreateAsync<string?>(
            key,
            static _ => throw new InvalidOperationException("The factory is disabled."),
            new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableUnderlyingData });
}
