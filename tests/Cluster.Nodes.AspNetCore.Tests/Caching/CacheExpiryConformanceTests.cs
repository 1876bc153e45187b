using Cluster.Testing;
using Cluster.Testing.Redis;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>When entries of every implementation of the distributed cache of .NET go away. Times are real, because a
/// Redis server has its own clock, and whole seconds, because its commands count in seconds. A test that shows that an
/// entry stays compares with the time that has really passed, so a busy machine does not fail it.</summary>
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
    public async Task Sliding_WithoutReads_Ends()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], new DistributedCacheEntryOptions { SlidingExpiration = Short });
        Assert.Equal([1], await Cache.GetAsync(key));
        await PassAsync(Short * 2);
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
        await PassAsync(Short * 2);
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
        await PassAsync(Short * 2);
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

    private static async Task PassAsync(TimeSpan time)
    {
        var began = Stopwatch.GetTimestamp();
        await Eventually.TrueAsync(() => Stopwatch.GetElapsedTime(began) >= time, Bound);
    }

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
