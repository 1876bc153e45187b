using Cluster.Testing;
using Cluster.Testing.Redis;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>When entries of every implementation of the distributed cache of .NET go away. Times are real, because a
/// Redis server has its own clock, and whole seconds, because its commands count in seconds.</summary>
public abstract class CacheExpiryConformanceTests<TSide>(TSide side) : IClassFixture<TSide>
    where TSide : CacheSide
{
    private static readonly TimeSpan Short = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private IDistributedCache Cache => side.Cache;

    [ConformanceFact]
    public Task Absolute_Ends() => CheckEndsAsync(
        () => new DistributedCacheEntryOptions { AbsoluteExpiration = TimeProvider.System.GetUtcNow() + Short });

    [ConformanceFact]
    public Task RelativeAbsolute_Ends() => CheckEndsAsync(
        () => new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = Short });

    [ConformanceFact]
    public async Task BothAbsoluteEnds_TheRelativeOneCounts_WhenItIsEarlier()
    {
        var key = side.NewKey();
        var options = new DistributedCacheEntryOptions
        {
            AbsoluteExpiration = TimeProvider.System.GetUtcNow() + Long,
            AbsoluteExpirationRelativeToNow = Short,
        };
        await Cache.SetAsync(key, [1], options);
        await Eventually.TrueAsync(async () => await Cache.GetAsync(key) is null, Bound);
    }

    [ConformanceFact]
    public async Task Set_WithoutExpiry_EndsTheExpiryOfThePresentValue()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = Short });
        await Cache.SetAsync(key, [2], new DistributedCacheEntryOptions());
        await RealTime.PassAsync(Short * 2);
        CheckReplaced(await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public async Task Set_WithExpiry_GivesAValueThatStayedAnEnd()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], new DistributedCacheEntryOptions { SlidingExpiration = Long });
        await Cache.SetAsync(key, [2], new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = Short });
        await Eventually.TrueAsync(async () => await Cache.GetAsync(key) is null, Bound);
    }

    [ConformanceFact]
    public async Task Refresh_OfAnAbsoluteEnd_DoesNotMoveIt()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = Short });
        await Cache.RefreshAsync(key);
        await Eventually.TrueAsync(
            async () =>
            {
                Cache.Refresh(key);
                return await Cache.GetAsync(key) is null;
            },
            Bound);
    }

    [ConformanceFact]
    public async Task Absolute_InThePast_StoresNothing()
    {
        var key = side.NewKey();
        var options = new DistributedCacheEntryOptions
        {
            AbsoluteExpiration = TimeProvider.System.GetUtcNow() - TimeSpan.FromMinutes(1),
        };
        await CheckPastAsync(() => Cache.SetAsync(key, [1], options));
        await CheckPastAsync(() =>
        {
            Cache.Set(key, [1], options);
            return Task.CompletedTask;
        });
        Assert.Null(await Cache.GetAsync(key));
    }

    /// <summary>Checks a value without an end that replaced a value with one, after that end.</summary>
    protected virtual void CheckReplaced(byte[]? value) => Assert.Equal([2], value);

    /// <summary>Checks what a write with an end in the past does, beside storing nothing.</summary>
    protected virtual async Task CheckPastAsync(Func<Task> write) => Assert.Equal(
        nameof(DistributedCacheEntryOptions.AbsoluteExpiration),
        (await Assert.ThrowsAsync<ArgumentOutOfRangeException>(write)).ParamName);

    private async Task CheckEndsAsync(Func<DistributedCacheEntryOptions> options)
    {
        var (key, other) = (side.NewKey(), side.NewKey());
        var began = Stopwatch.GetTimestamp();
        await Cache.SetAsync(key, [1], options());
        Cache.Set(other, [2], options());
        if (await Cache.GetAsync(key) is { } found)
            Assert.Equal([1], found);
        else
            Assert.InRange(Stopwatch.GetElapsedTime(began), Short / 2, Bound);
        await Eventually.TrueAsync(async () => await Cache.GetAsync(key) is null, Bound);
        await Eventually.TrueAsync(() => Cache.Get(other) is null, Bound);
        Assert.InRange(Stopwatch.GetElapsedTime(began), Short / 2, Bound);
    }
}

/// <summary>The suite over the memory of the process. Its entry with an end in the past is no error, and is not there
/// either.</summary>
public sealed class MemoryExpiryConformanceTests(MemorySide side) : CacheExpiryConformanceTests<MemorySide>(side)
{
    protected override Task CheckPastAsync(Func<Task> write) => write();
}

/// <summary>The suite over a real Redis server. Unlike the others, this cache leaves the end of a replaced value in
/// force for a new value without one.</summary>
[RequiresRedis]
public sealed class RedisExpiryConformanceTests(RedisSide side) : CacheExpiryConformanceTests<RedisSide>(side)
{
    protected override void CheckReplaced(byte[]? value) => Assert.Null(value);
}

/// <summary>The suite over keys of the calling node.</summary>
public sealed class OneNodeExpiryConformanceTests(OneNodeSide side) : CacheExpiryConformanceTests<OneNodeSide>(side);

/// <summary>The suite over keys of other nodes.</summary>
public sealed class ThreeNodesExpiryConformanceTests(ThreeNodesSide side)
    : CacheExpiryConformanceTests<ThreeNodesSide>(side);
