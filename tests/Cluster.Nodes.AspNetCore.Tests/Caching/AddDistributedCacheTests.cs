using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>How the cache is registered, and how it behaves on a node that owns all keys.</summary>
public sealed class AddDistributedCacheTests
{
    [Fact]
    public async Task BothInterfaces_AreInjected_AlsoByName()
    {
        await using var node = await OneNode.StartAsync(cluster => cluster
            .AddDistributedCache("first")
            .AddDistributedCache("second"));
        var (first, second) = (node.Cache("first"), node.Cache("second"));
        Assert.NotSame(first, second);
        Assert.Same(first, node.Services.GetRequiredKeyedService<IBufferDistributedCache>("first"));
        Assert.Same(first, node.Services.GetRequiredService<IDistributedCache>());
        Assert.Same(first, node.Services.GetRequiredService<IBufferDistributedCache>());
        await first.SetStringAsync("key", "one");
        await second.SetStringAsync("key", "two");
        Assert.Equal(("one", "two"), (await first.GetStringAsync("key"), await second.GetStringAsync("key")));
    }

    [Fact]
    public async Task AsynchronousCalls_ForAKeyOfThisNode_EndSynchronously()
    {
        await using var node = await OneNode.StartAsync(static cluster => cluster.AddDistributedCache("cache"));
        var cache = (IBufferDistributedCache)node.Cache("cache");
        var sliding = new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromHours(1) };

        // Once one operation has ended, the node owns the partition of the key.
        await cache.RemoveAsync("key");
        Assert.True(cache.SetAsync("key", [1], sliding).IsCompletedSuccessfully);
        Assert.True(cache.GetAsync("key").IsCompletedSuccessfully);
        Assert.True(cache.TryGetAsync("key", new ArrayBufferWriter<byte>()).AsTask().IsCompletedSuccessfully);
        Assert.True(cache.RefreshAsync("key").IsCompletedSuccessfully);
        Assert.True(cache.RemoveAsync("key").IsCompletedSuccessfully);
    }

    // The partitions begin while the first values are set: each value must get its end by the time of its partition.
    [Fact]
    public async Task Values_SetRightAfterTheStart_StayUntilTheirEnd()
    {
        for (var round = 0; round < 3; round++)
        {
            await using var node = await OneNode.StartAsync(static cluster => cluster.AddDistributedCache("cache"));
            var cache = node.Cache("cache");
            for (var number = 0; number < 20; number++)
            {
                await cache.SetAsync(
                    $"key-{number}", [1], new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
            }

            for (var number = 0; number < 20; number++)
                Assert.NotNull(await cache.GetAsync($"key-{number}"));
        }
    }

    [Fact]
    public async Task DefaultExpiry_EndsAValueWithoutAnother()
    {
        await using var node = await OneNode.StartAsync(static cluster => cluster.AddDistributedCache(
            "cache", static cache => cache.DefaultExpiry = StateExpiry.After(TimeSpan.FromMilliseconds(200))));
        var cache = node.Cache("cache");
        await cache.SetAsync("stays", [1], new() { SlidingExpiration = TimeSpan.FromHours(1) });
        await cache.SetAsync("ends", [1], new());
        await Eventually.TrueAsync(async () => await cache.GetAsync("ends") is null, TimeSpan.FromSeconds(30));
        Assert.NotNull(await cache.GetAsync("stays"));
    }

    [Fact]
    public async Task TryGet_OfALargeValue_AllocatesNothingOfItsSize()
    {
        const int Length = 500_000, Reads = 20;
        await using var node = await OneNode.StartAsync(static cluster => cluster.AddDistributedCache("cache"));
        var cache = (IBufferDistributedCache)node.Cache("cache");
        var output = new ArrayBufferWriter<byte>(Length);
        await cache.SetAsync("large", new byte[Length], new());
        ReadAll();
        var before = GC.GetAllocatedBytesForCurrentThread();
        ReadAll();
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated < Reads * 2_000, $"{allocated / Reads} bytes were allocated for each read.");

        void ReadAll()
        {
            for (var read = 0; read < Reads; read++)
            {
                output.ResetWrittenCount();
                Assert.True(cache.TryGet("large", output));
            }
        }
    }

    [Fact]
    public async Task LargestValueAndLongestKey_OfTheOptions_FitTheState()
    {
        await using var node = await OneNode.StartAsync(static cluster => cluster.AddDistributedCache(
            "cache",
            static cache =>
                (cache.MaxKeyLength, cache.MaxValueBytes) = (ClusterCacheOptions.MaxKeyLengthLimit, 5_000)));
        var cache = node.Cache("cache");
        var key = new string('鍵', ClusterCacheOptions.MaxKeyLengthLimit);
        var both = new DistributedCacheEntryOptions
        {
            SlidingExpiration = TimeSpan.FromMinutes(1),
            AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1),
        };
        await cache.SetAsync(key, new byte[5_000], both);
        Assert.Equal(5_000, (await cache.GetAsync(key))!.Length);
    }

    [Fact]
    public void Options_ThatCannotWork_AreListedAtOnce()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var cluster = builder.AddCluster(static options => options.Name = "test");
        var error = Assert.Throws<ArgumentException>(() => cluster.AddDistributedCache("bad", static cache =>
        {
            cache.MaxKeyLength = 1_366;
            cache.MaxValueBytes = 0;
            cache.Backups = 4;
        }));
        Assert.Equal(
            "Cache 'bad': MaxKeyLength is 1366; it must be from 1 to 1365; MaxValueBytes is 0; it must be from 1 to "
            + "67108800; Backups is 4; it must be from 0 to 3.",
            error.Message);
    }

    [Fact]
    public void Cache_BeforeTheHostHasStarted_SaysSo()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster(static options => options.Name = "test").AddDistributedCache();
        using var host = builder.Build();
        var error = Assert.Throws<InvalidOperationException>(
            () => host.Services.GetRequiredService<IDistributedCache>().Get("key"));
        Assert.Contains("can be used once the host has started", error.Message);
    }
}
