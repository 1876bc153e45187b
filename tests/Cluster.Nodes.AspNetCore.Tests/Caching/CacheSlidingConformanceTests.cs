using Cluster.Testing;
using Cluster.Testing.Redis;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>When entries with a sliding expiry go away, as <see cref="CacheExpiryConformanceTests{TSide}"/> shows it for
/// the others. A test that shows that an entry stays compares with the time that has really passed, so a busy machine
/// does not fail it.</summary>
public abstract class CacheSlidingConformanceTests<TSide>(TSide side) : IClassFixture<TSide>
    where TSide : CacheSide
{
    private static readonly TimeSpan Short = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private IDistributedCache Cache => side.Cache;

    [ConformanceFact]
    public async Task Sliding_WithoutReads_Ends()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], new DistributedCacheEntryOptions { SlidingExpiration = Short });
        Assert.Equal([1], await Cache.GetAsync(key));
        await RealTime.PassAsync(Short * 2);
        Assert.Null(await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public Task Sliding_WithReads_Stays() => CheckStaysAsync(async key => await Cache.GetAsync(key) is not null);

    [ConformanceFact]
    public Task Sliding_WithSynchronousReads_Stays() => CheckStaysAsync(key => new(Cache.Get(key) is not null));

    [ConformanceFact]
    public Task Sliding_WithRefreshes_Stays() => CheckStaysAsync(async key =>
    {
        await Cache.RefreshAsync(key);
        Cache.Refresh(key);
        return true;
    });

    [ConformanceFact]
    public async Task SlidingAndAbsolute_ThatIsRead_EndsAtTheAbsoluteEnd()
    {
        var key = side.NewKey();
        var began = Stopwatch.GetTimestamp();
        var options = new DistributedCacheEntryOptions
        {
            SlidingExpiration = Short,
            AbsoluteExpirationRelativeToNow = Short * 2,
        };
        await Cache.SetAsync(key, [1], options);
        await Eventually.TrueAsync(async () => await Cache.GetAsync(key) is null, Bound);
        Assert.InRange(Stopwatch.GetElapsedTime(began), Short * 1.4, Bound);
        Assert.Null(Cache.Get(key));
    }

    [ConformanceFact]
    public async Task SlidingAndAbsolute_ThatIsRefreshed_EndsAtTheAbsoluteEnd()
    {
        var key = side.NewKey();
        var options = new DistributedCacheEntryOptions
        {
            SlidingExpiration = Short,
            AbsoluteExpiration = TimeProvider.System.GetUtcNow() + (Short * 2),
        };
        await Cache.SetAsync(key, [1], options);
        var began = Stopwatch.GetTimestamp();
        await Eventually.TrueAsync(
            async () =>
            {
                await Cache.RefreshAsync(key);
                return Stopwatch.GetElapsedTime(began) > (Short * 2) + TimeSpan.FromSeconds(1);
            },
            Bound);
        Assert.Null(await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public async Task SlidingAndAbsolute_WithoutReads_EndsWithTheWindow()
    {
        var key = side.NewKey();
        var options = new DistributedCacheEntryOptions
        {
            SlidingExpiration = Short,
            AbsoluteExpirationRelativeToNow = Long,
        };
        await Cache.SetAsync(key, [1], options);
        await RealTime.PassAsync(Short * 2);
        Assert.Null(await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public async Task Sliding_LongerThanTheAbsoluteEnd_EndsThere()
    {
        var key = side.NewKey();
        var options = new DistributedCacheEntryOptions
        {
            SlidingExpiration = Long,
            AbsoluteExpirationRelativeToNow = Short,
        };
        await Cache.SetAsync(key, [1], options);
        Assert.Equal([1], await Cache.GetAsync(key));
        await Eventually.TrueAsync(async () => await Cache.GetAsync(key) is null, Bound);
    }

    // Accesses far within the window keep the entry for twice its window. When the machine lets more than a window pass
    // between two accesses, the entry may be gone, and the round begins again.
    private async Task CheckStaysAsync(Func<string, ValueTask<bool>> access)
    {
        for (var attempt = 0; attempt < 10; attempt++)
        {
            if (await TryStayAsync(access))
                return;
        }

        Assert.Fail("The entry did not stay in ten attempts.");
    }

    private async Task<bool> TryStayAsync(Func<string, ValueTask<bool>> access)
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], new DistributedCacheEntryOptions { SlidingExpiration = Short });
        var (began, last, wasLate, isThere) = (Stopwatch.GetTimestamp(), Stopwatch.GetTimestamp(), false, true);
        await Eventually.TrueAsync(
            async () =>
            {
                isThere &= await access(key);
                wasLate |= Stopwatch.GetElapsedTime(last) > Short / 3;
                last = Stopwatch.GetTimestamp();
                return Stopwatch.GetElapsedTime(began) > Short * 2;
            },
            Bound);
        isThere &= await Cache.GetAsync(key) is [1];
        Assert.True(isThere || wasLate, "The entry went away although it was accessed in time.");
        return isThere;
    }
}

/// <summary>The suite over the memory of the process.</summary>
public sealed class MemorySlidingConformanceTests(MemorySide side) : CacheSlidingConformanceTests<MemorySide>(side);

/// <summary>The suite over a real Redis server.</summary>
[RequiresRedis]
public sealed class RedisSlidingConformanceTests(RedisSide side) : CacheSlidingConformanceTests<RedisSide>(side);

/// <summary>The suite over keys of the calling node.</summary>
public sealed class OneNodeSlidingConformanceTests(OneNodeSide side) : CacheSlidingConformanceTests<OneNodeSide>(side);

/// <summary>The suite over keys of other nodes.</summary>
public sealed class ThreeNodesSlidingConformanceTests(ThreeNodesSide side)
    : CacheSlidingConformanceTests<ThreeNodesSide>(side);
