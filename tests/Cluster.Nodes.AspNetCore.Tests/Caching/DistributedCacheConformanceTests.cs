using Cluster.Testing.Redis;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>What every implementation of the distributed cache of .NET does with values, keys and arguments.</summary>
public abstract class DistributedCacheConformanceTests<TSide>(TSide side) : IClassFixture<TSide>
    where TSide : CacheSide
{
    private static readonly DistributedCacheEntryOptions Plain = new();

    private IDistributedCache Cache => side.Cache;

    [ConformanceFact]
    public async Task Get_OfAMissingKey_GivesNull()
    {
        Assert.Null(Cache.Get(side.NewKey()));
        Assert.Null(await Cache.GetAsync(side.NewKey()));
    }

    [ConformanceFact]
    public Task Set_ThenGet_OfNoBytes_GivesThem() => CheckRoundTripAsync(0);

    [ConformanceFact]
    public Task Set_ThenGet_OfOneByte_GivesIt() => CheckRoundTripAsync(1);

    [ConformanceFact]
    public Task Set_ThenGet_OfAFewBytes_GivesThem() => CheckRoundTripAsync(200);

    [ConformanceFact]
    public Task Set_ThenGet_OfAMebibyte_GivesIt() => CheckRoundTripAsync(1 << 20);

    [ConformanceFact]
    public async Task Get_GivesAnArrayOfItsOwn()
    {
        var key = side.NewKey();
        byte[] value = [1, 2, 3];
        await Cache.SetAsync(key, [.. value], Plain);
        var first = await Cache.GetAsync(key);
        Assert.Equal(value, first);
        Assert.Equal(value, Cache.Get(key));
    }

    [ConformanceFact]
    public async Task Set_OfAPresentKey_ReplacesTheValue()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, new byte[500], Plain);
        Cache.Set(key, [1], Plain);
        Assert.Equal([1], await Cache.GetAsync(key));
        await Cache.SetAsync(key, [2, 3], Plain);
        Assert.Equal([2, 3], Cache.Get(key));
    }

    [ConformanceFact]
    public async Task Remove_TakesTheValueAway_AndMayBeRepeated()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], Plain);
        Cache.Remove(key);
        Assert.Null(await Cache.GetAsync(key));
        Cache.Remove(key);
        await Cache.SetAsync(key, [2], Plain);
        await Cache.RemoveAsync(key);
        Assert.Null(Cache.Get(key));
        await Cache.RemoveAsync(key);
        await Cache.RemoveAsync(side.NewKey("never set"));
    }

    [ConformanceFact]
    public async Task Refresh_OfAMissingKey_DoesNothing()
    {
        var key = side.NewKey();
        Cache.Refresh(key);
        await Cache.RefreshAsync(key);
        Assert.Null(await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public async Task Refresh_OfAPresentKey_KeepsTheValue()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1, 2], Plain);
        Cache.Refresh(key);
        await Cache.RefreshAsync(key);
        Assert.Equal([1, 2], await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public async Task Keys_OfAnyText_AreDistinct()
    {
        string[] keys =
        [
            side.NewKey("κλειδί"), side.NewKey("鍵"), side.NewKey("🗝"), side.NewKey("e\u0301"), side.NewKey("\u00e9"),
            side.NewKey("a b\t\n\0:*?[]{}"), side.NewKey("KEY"), side.NewKey("key"),
            side.NewKey(new string('x', 900)),
        ];
        for (var index = 0; index < keys.Length; index++)
            await Cache.SetAsync(keys[index], [(byte)index], Plain);
        for (var index = 0; index < keys.Length; index++)
            Assert.Equal((byte)index, Assert.Single((await Cache.GetAsync(keys[index]))!));
    }

    [ConformanceFact]
    public async Task Null_AsKeyValueOrOptions_IsRefused()
    {
        var key = side.NewKey();
        CheckNull("key", () => Cache.Get(null!));
        CheckNull("key", () => Cache.Set(null!, [1], Plain));
        Assert.Throws<ArgumentNullException>(() => Cache.Set(key, null!, Plain));
        CheckNull("options", () => Cache.Set(key, [1], null!));
        CheckNull("key", () => Cache.Refresh(null!));
        CheckNull("key", () => Cache.Remove(null!));
        await CheckNullAsync("key", () => Cache.GetAsync(null!));
        await CheckNullAsync("key", () => Cache.SetAsync(null!, [1], Plain));
        await Assert.ThrowsAsync<ArgumentNullException>(() => Cache.SetAsync(key, null!, Plain));
        await CheckNullAsync("options", () => Cache.SetAsync(key, [1], null!));
        await CheckNullAsync("key", () => Cache.RefreshAsync(null!));
        await CheckNullAsync("key", () => Cache.RemoveAsync(null!));
        Assert.Null(await Cache.GetAsync(key));
    }

    [ConformanceFact]
    public async Task Sets_OfOneKeyAtTheSameTime_LeaveOneWholeValue()
    {
        var key = side.NewKey();
        var values = Enumerable.Range(1, 16).Select(number => Enumerable.Repeat((byte)number, number * 100).ToArray());
        await Cache.SetAsync(key, [7], Plain);
        for (var round = 0; round < 20; round++)
        {
            var sets = values.Select(value => Task.Run(() => Cache.SetAsync(key, value, Plain))).ToArray();
            var read = await Task.Run(() => Cache.GetAsync(key));
            CheckWhole(read);
            await Task.WhenAll(sets);
            var last = await Cache.GetAsync(key);
            CheckWhole(last);
            Assert.Equal(last, Cache.Get(key));
        }
    }

    // The threads are not those of the pool, which clients need while threads wait.
    [ConformanceFact]
    public async Task SyncForms_OnManyThreads_End()
    {
        var work = Enumerable.Range(0, 16).Select(number => Task.Factory.StartNew(
            () =>
            {
                var key = side.NewKey();
                Cache.Set(key, [(byte)number], Plain);
                Cache.Refresh(key);
                var read = Cache.Get(key);
                Cache.Remove(key);
                return (Read: read, AfterRemoval: Cache.Get(key));
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default));
        var results = await Task.WhenAll(work).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.All(results, (result, number) => Assert.Equal((byte)number, Assert.Single(result.Read!)));
        Assert.All(results, result => Assert.Null(result.AfterRemoval));
    }

    private static void CheckWhole(byte[]? value)
    {
        Assert.NotNull(value);
        Assert.Single(value.Distinct());
        Assert.True(value is [7] || value.Length == value[0] * 100);
    }

    private static void CheckNull(string parameter, Action action) =>
        Assert.Equal(parameter, Assert.Throws<ArgumentNullException>(action).ParamName);

    private static async Task CheckNullAsync(string parameter, Func<Task> action) =>
        Assert.Equal(parameter, (await Assert.ThrowsAsync<ArgumentNullException>(action)).ParamName);

    private async Task CheckRoundTripAsync(int length)
    {
        var value = new byte[length];
        new Random(length).NextBytes(value);
        var (first, second) = (side.NewKey(), side.NewKey());
        Cache.Set(first, value, Plain);
        await Cache.SetAsync(second, value, Plain);
        Assert.Equal(value, await Cache.GetAsync(first));
        Assert.Equal(value, Cache.Get(second));
    }
}

/// <summary>The suite over the memory of the process.</summary>
public sealed class MemoryCacheConformanceTests(MemorySide side) : DistributedCacheConformanceTests<MemorySide>(side);

/// <summary>The suite over a real Redis server.</summary>
[RequiresRedis]
public sealed class RedisCacheConformanceTests(RedisSide side) : DistributedCacheConformanceTests<RedisSide>(side);

/// <summary>The suite over keys of the calling node.</summary>
public sealed class OneNodeCacheConformanceTests(OneNodeSide side)
    : DistributedCacheConformanceTests<OneNodeSide>(side);

/// <summary>The suite over keys of other nodes.</summary>
public sealed class ThreeNodesCacheConformanceTests(ThreeNodesSide side)
    : DistributedCacheConformanceTests<ThreeNodesSide>(side);
