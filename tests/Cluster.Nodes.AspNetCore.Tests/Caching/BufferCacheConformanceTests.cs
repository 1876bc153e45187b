using Cluster.Testing.Redis;
using Cluster.Testing.Stores;
using Microsoft.Extensions.Caching.Distributed;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>What every implementation with buffer forms does, and how it obeys cancellation. The cache in the memory of
/// the process has no buffer forms, and does not look at tokens.</summary>
public abstract class BufferCacheConformanceTests<TSide>(TSide side) : IClassFixture<TSide>
    where TSide : CacheSide
{
    private static readonly DistributedCacheEntryOptions Plain = new();

    private IBufferDistributedCache Cache => side.Buffers;

    [ConformanceFact]
    public async Task TryGet_OfAMissingKey_WritesNothing()
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.False(Cache.TryGet(side.NewKey(), output));
        Assert.False(await Cache.TryGetAsync(side.NewKey(), output));
        Assert.Equal(0, output.WrittenCount);
    }

    [ConformanceFact]
    public Task Set_OfNoBytes_IsReadBack() => CheckRoundTripAsync(ReadOnlySequence<byte>.Empty);

    [ConformanceFact]
    public Task Set_OfOnePart_IsReadBack() => CheckRoundTripAsync(new(Enumerable.Range(0, 200).Select(Low).ToArray()));

    [ConformanceFact]
    public Task Set_OfManyParts_IsReadBack() => CheckRoundTripAsync(Parts.Of(0, 1, 0, 17, 4_096, 100_000, 3));

    [ConformanceFact]
    public Task Set_OfAMebibyteInParts_IsReadBack() => CheckRoundTripAsync(Parts.Of(1 << 19, 1 << 18, 1 << 18));

    [ConformanceFact]
    public async Task TryGet_AppendsToWhatTheBufferHolds()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, new ReadOnlySequence<byte>([2, 3]), Plain);
        var output = new ArrayBufferWriter<byte>();
        output.Write((ReadOnlySpan<byte>)[1]);
        Assert.True(await Cache.TryGetAsync(key, output));
        Assert.Equal([1, 2, 3], output.WrittenSpan.ToArray());
    }

    [ConformanceFact]
    public async Task BufferForms_AndArrays_AreOneCache()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, Parts.Of(3, 2), Plain);
        Assert.Equal(Parts.Of(3, 2).ToArray(), await Cache.GetAsync(key));
        Cache.Set(key, [9], Plain);
        var output = new ArrayBufferWriter<byte>();
        Assert.True(Cache.TryGet(key, output));
        Assert.Equal([9], output.WrittenSpan.ToArray());
    }

    [ConformanceFact]
    public async Task Null_AsKeyOrOptions_IsRefused()
    {
        var (key, value) = (side.NewKey(), new ReadOnlySequence<byte>([1]));
        var output = new ArrayBufferWriter<byte>();
        Assert.Throws<ArgumentNullException>("key", () => Cache.TryGet(null!, output));
        Assert.Throws<ArgumentNullException>("key", () => Cache.Set(null!, value, Plain));
        Assert.Throws<ArgumentNullException>("options", () => Cache.Set(key, value, null!));
        await Assert.ThrowsAsync<ArgumentNullException>(
            "key", async () => await Cache.TryGetAsync(null!, output));
        await Assert.ThrowsAsync<ArgumentNullException>("key", async () => await Cache.SetAsync(null!, value, Plain));
        await Assert.ThrowsAsync<ArgumentNullException>("options", async () => await Cache.SetAsync(key, value, null!));
    }

    [ConformanceFact]
    public async Task CancelledToken_EndsEveryCall_AndChangesNothing()
    {
        var key = side.NewKey();
        await Cache.SetAsync(key, [1], Plain);
        var ended = new CancellationToken(canceled: true);
        await CheckCancelledAsync(() => Cache.GetAsync(key, ended));
        await CheckCancelledAsync(() => Cache.SetAsync(key, [2], Plain, ended));
        await CheckCancelledAsync(() => Cache.RefreshAsync(key, ended));
        await CheckCancelledAsync(() => Cache.RemoveAsync(key, ended));
        await CheckCancelledAsync(() => Cache.TryGetAsync(key, new ArrayBufferWriter<byte>(), ended).AsTask());
        await CheckCancelledAsync(() => Cache.SetAsync(key, Parts.Of(3), Plain, ended).AsTask());
        Assert.Equal([1], await Cache.GetAsync(key));
    }

    private static byte Low(int number) => (byte)number;

    private static async Task CheckCancelledAsync(Func<Task> call) =>
        await Assert.ThrowsAnyAsync<OperationCanceledException>(call);

    private async Task CheckRoundTripAsync(ReadOnlySequence<byte> value)
    {
        var (first, second) = (side.NewKey(), side.NewKey());
        Cache.Set(first, value, Plain);
        await Cache.SetAsync(second, value, Plain);
        foreach (var key in new[] { first, second })
        {
            var (output, again) = (new ArrayBufferWriter<byte>(), new ArrayBufferWriter<byte>());
            Assert.True(Cache.TryGet(key, output));
            Assert.True(await Cache.TryGetAsync(key, again));
            Assert.Equal(value.ToArray(), output.WrittenSpan.ToArray());
            Assert.Equal(value.ToArray(), again.WrittenSpan.ToArray());
        }
    }
}

/// <summary>The suite over a real Redis server.</summary>
[RequiresRedis]
public sealed class RedisBufferConformanceTests(RedisSide side) : BufferCacheConformanceTests<RedisSide>(side);

/// <summary>The suite over keys of the calling node.</summary>
public sealed class OneNodeBufferConformanceTests(OneNodeSide side) : BufferCacheConformanceTests<OneNodeSide>(side);

/// <summary>The suite over keys of other nodes.</summary>
public sealed class ThreeNodesBufferConformanceTests(ThreeNodesSide side)
    : BufferCacheConformanceTests<ThreeNodesSide>(side);
