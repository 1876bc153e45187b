using System.Diagnostics.Metrics;
using Cluster.Nodes.AspNetCore.Caching;
using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>Which calls of the state the cache makes, and with which expiry. The clock is the test's.</summary>
public sealed class ClusterDistributedCacheTests
{
    private static readonly DateTimeOffset Start = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);

    private static readonly ServiceProvider Meters = new ServiceCollection().AddMetrics().BuildServiceProvider();

    private readonly RecordingState _state = new();
    private readonly ManualTimeProvider _time = new(Start);
    private readonly ClusterDistributedCache _cache;

    public ClusterDistributedCacheTests() => _cache = new ClusterDistributedCache(
        _state,
        new ClusterCacheOptions { MaxKeyLength = 10, MaxValueBytes = 100 },
        new RefusalMetrics(Meters.GetRequiredService<IMeterFactory>()),
        _time);

    [Fact]
    public Task Set_WithoutExpiry_LeavesItToTheState() => CheckExpiryAsync(new(), StateExpiry.Default);

    [Fact]
    public Task Set_Absolute_EndsThere() => CheckExpiryAsync(
        new() { AbsoluteExpiration = Start + Minute }, StateExpiry.At(Start + Minute));

    [Fact]
    public Task Set_Relative_StartsAtTheTimeOfTheOwner() => CheckExpiryAsync(
        new() { AbsoluteExpirationRelativeToNow = Minute }, StateExpiry.After(Minute));

    [Fact]
    public Task Set_RelativeAndAbsolute_TakesTheRelativeEnd() => CheckExpiryAsync(
        new() { AbsoluteExpiration = Start + Minute, AbsoluteExpirationRelativeToNow = 2 * Minute },
        StateExpiry.After(2 * Minute));

    [Fact]
    public Task Set_Sliding_Slides() => CheckExpiryAsync(
        new() { SlidingExpiration = Minute }, StateExpiry.Sliding(Minute));

    [Fact]
    public Task Set_SlidingAndALaterEnd_Slides() => CheckExpiryAsync(
        new() { SlidingExpiration = Minute, AbsoluteExpiration = Start + (2 * Minute) }, StateExpiry.Sliding(Minute));

    [Fact]
    public Task Set_SlidingAndAnEarlierEnd_EndsThere() => CheckExpiryAsync(
        new() { SlidingExpiration = 2 * Minute, AbsoluteExpiration = Start + Minute }, StateExpiry.At(Start + Minute));

    [Fact]
    public Task Set_SlidingAndAnEndBeyondAllDates_Slides() => CheckExpiryAsync(
        new() { SlidingExpiration = Minute, AbsoluteExpirationRelativeToNow = TimeSpan.MaxValue },
        StateExpiry.Sliding(Minute));

    [Fact]
    public async Task Set_WithAnEndThatIsNow_IsRefused()
    {
        var options = new DistributedCacheEntryOptions { AbsoluteExpiration = Start };
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            nameof(options.AbsoluteExpiration), () => _cache.SetAsync("key", [1], options));
        Assert.Empty(_state.Calls);
    }

    [Fact]
    public async Task Get_OfASlidingEntry_IsOneCall()
    {
        await _cache.SetAsync("key", [1], new() { SlidingExpiration = Minute });
        _state.Calls.Clear();
        Assert.Equal([1], await _cache.GetAsync("key"));
        Assert.Equal(["get"], _state.Calls);
    }

    [Fact]
    public async Task Refresh_IsOneCall()
    {
        await _cache.SetAsync("key", [1], new() { SlidingExpiration = Minute });
        _state.Calls.Clear();
        await _cache.RefreshAsync("key");
        Assert.Equal(["get"], _state.Calls);
    }

    [Fact]
    public async Task Get_WhenTheNextWindowPassesTheEnd_StoresTheEndOnce()
    {
        await SetWithBothAsync();
        _time.Advance(1.5 * Minute);
        Assert.Equal([1], await _cache.GetAsync("key"));
        Assert.Equal(["get"], _state.Calls);
        _time.Advance(Minute);
        Assert.Equal([1], await _cache.GetAsync("key"));
        Assert.Equal([1], await _cache.GetAsync("key"));
        Assert.Equal(["get", "get", $"put if {StateExpiry.At(Start + (3 * Minute))}", "get"], _state.Calls);
    }

    [Fact]
    public async Task Get_WhenTheNextWindowPassesTheEnd_AndAnotherValueIsSetMeanwhile_KeepsThatValue()
    {
        await SetWithBothAsync();
        _time.Advance(2.5 * Minute);
        var newer = new CachedValue(new ReadOnlySequence<byte>([2]));
        _state.BeforeConditionalWrite = () => _state.Store(newer);
        Assert.Equal([1], await _cache.GetAsync("key"));
        Assert.Equal([2], await _cache.GetAsync("key"));
        Assert.Equal(newer, _state.Entry!.Value.Value);
    }

    [Fact]
    public async Task Get_AfterTheEnd_FindsNothing_WhateverTheStateHolds()
    {
        await SetWithBothAsync();
        _time.Advance(3 * Minute);
        Assert.Null(await _cache.GetAsync("key"));
        Assert.False(await _cache.TryGetAsync("key", new ArrayBufferWriter<byte>()));
    }

    [Fact]
    public async Task Key_TooLong_IsRefused_WithTheOption()
    {
        var key = new string('k', 11);
        CheckLimit(await Assert.ThrowsAsync<CacheLimitException>(() => _cache.GetAsync(key)));
        CheckLimit(Assert.Throws<CacheLimitException>(() => _cache.Set(key, [1], new())));
        CheckLimit(Assert.Throws<CacheLimitException>(() => _cache.Remove(key)));
        CheckLimit(Assert.Throws<CacheLimitException>(() => _cache.Refresh(key)));
        Assert.Empty(_state.Calls);

        static void CheckLimit(CacheLimitException error)
        {
            Assert.Equal(("MaxKeyLength", "key", 10L, 11L), (error.Option, error.ParamName, error.Limit, error.Found));
            Assert.Contains("Cache 'cache': the key has 11 UTF-16 code units, and at most 10 are", error.Message);
            Assert.Contains("Raise MaxKeyLength where the cache is added", error.Message);
        }
    }

    [Fact]
    public async Task Value_TooLarge_IsRefused_WithTheOption()
    {
        CheckLimit(await Assert.ThrowsAsync<CacheLimitException>(() => _cache.SetAsync("key", new byte[101], new())));
        CheckLimit(Assert.Throws<CacheLimitException>(() => _cache.Set("key", Parts.Of(100, 1), new())));
        await _cache.SetAsync("key", new byte[100], new());
        Assert.Single(_state.Calls);

        static void CheckLimit(CacheLimitException error)
        {
            Assert.Equal(
                ("MaxValueBytes", "value", 100L, 101L), (error.Option, error.ParamName, error.Limit, error.Found));
            Assert.Contains("the value has 101 bytes, and at most 100 are allowed", error.Message);
        }
    }

    [Fact]
    public async Task Null_AsValueOrDestination_IsRefused()
    {
        Assert.Throws<ArgumentNullException>("destination", () => _cache.TryGet("key", null!));
        Assert.Throws<ArgumentNullException>("value", () => _cache.Set("key", null!, new()));
        await Assert.ThrowsAsync<ArgumentNullException>("value", () => _cache.SetAsync("key", null!, new()));
    }

    private async Task SetWithBothAsync()
    {
        var options = new DistributedCacheEntryOptions
        {
            SlidingExpiration = Minute,
            AbsoluteExpirationRelativeToNow = 3 * Minute,
        };
        await _cache.SetAsync("key", [1], options);
        _state.Calls.Clear();
    }

    private async Task CheckExpiryAsync(DistributedCacheEntryOptions options, StateExpiry expected)
    {
        await _cache.SetAsync("key", [1], options);
        Assert.Equal([$"put {expected}"], _state.Calls);
    }
}
