using Cluster.Testing;
using Microsoft.Extensions.Caching.Hybrid;

namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>What <see cref="HybridCache"/> does. The same tests run over the stock cache and over that of the
/// cluster.</summary>
public abstract class HybridConformanceTests
{
    /// <summary>The limit of all caches of the tests.</summary>
    public const int MaxPayloadBytes = 100_000;

    private const HybridCacheEntryFlags DisableBoth =
        HybridCacheEntryFlags.DisableLocalCache | HybridCacheEntryFlags.DisableDistributedCache;

    private static readonly TimeSpan WaitBudget = TimeSpan.FromSeconds(30);

    private int _runs;

    /// <summary>The cache.</summary>
    protected abstract HybridCache Cache { get; }

    [Fact]
    public async Task GetOrCreate_MissThenHit_RunsTheFactoryOnce()
    {
        var key = NewKey();
        Assert.Equal("1", await GetAsync(key));
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public async Task GetOrCreate_State_ReachesTheFactory()
    {
        var key = NewKey();
        var made = await Cache.GetOrCreateAsync(key, 41, static (state, _) => ValueTask.FromResult(state + 1));
        Assert.Equal(42, made);
        Assert.Equal(42, await Cache.GetOrCreateAsync(key, 0, static (state, _) => ValueTask.FromResult(state)));
    }

    [Fact]
    public async Task GetOrCreate_MutableValue_IsACopyForEachReader()
    {
        var key = NewKey();
        var first = await GetArticleAsync(key);
        first.Name = "changed";
        var second = await GetArticleAsync(key);
        var third = await GetArticleAsync(key);
        Assert.Equal(("tea", "tea"), (second.Name, third.Name));
        Assert.NotSame(second, third);
    }

    [Fact]
    public async Task GetOrCreate_ManyCallersAtOnce_RunTheFactoryOnce()
    {
        var (key, go) = (NewKey(), new TaskCompletionSource());
        var callers = Enumerable.Range(0, 32).Select(_ => Task.Run(() => GetAsync(key, go.Task).AsTask())).ToArray();
        await Eventually.TrueAsync(() => Volatile.Read(ref _runs) > 0, WaitBudget);
        go.SetResult();
        Assert.All(await Task.WhenAll(callers), value => Assert.Equal("1", value));
    }

    [Fact]
    public async Task GetOrCreate_FactoryThrows_CallersGetTheExceptionAndTheNextTriesAgain()
    {
        var key = NewKey();
        async Task<string> FailAsync() => await Cache.GetOrCreateAsync<string>(
            key, _ => throw new InvalidDataException("broken"));
        Assert.Equal("broken", (await Assert.ThrowsAsync<InvalidDataException>(FailAsync)).Message);
        Assert.Equal("broken", (await Assert.ThrowsAsync<InvalidDataException>(FailAsync)).Message);
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public async Task GetOrCreate_FactoryThrowsForManyCallers_AllGetTheException()
    {
        var (key, go) = (NewKey(), new TaskCompletionSource());
        async Task<string> FailAsync() => await Cache.GetOrCreateAsync<string>(key, async _ =>
        {
            Interlocked.Increment(ref _runs);
            await go.Task;
            throw new InvalidDataException("broken");
        });
        var callers = Enumerable.Range(0, 8).Select(_ => Task.Run(FailAsync)).ToArray();
        await Eventually.TrueAsync(() => Volatile.Read(ref _runs) > 0, WaitBudget);
        go.SetResult();
        foreach (var caller in callers)
            await Assert.ThrowsAsync<InvalidDataException>(() => caller);
    }

    [Fact]
    public async Task GetOrCreate_OneWaitingCallerCancels_TheOthersGetTheValue()
    {
        var (key, go) = (NewKey(), new TaskCompletionSource());
        using var cancelled = new CancellationTokenSource();
        var leaver = Task.Run(() => GetAsync(key, go.Task, cancellationToken: cancelled.Token).AsTask());
        await Eventually.TrueAsync(() => Volatile.Read(ref _runs) == 1, WaitBudget);
        var stayer = GetAsync(key, go.Task).AsTask();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leaver);
        go.SetResult();
        Assert.Equal("1", await stayer);
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public async Task GetOrCreate_AllWaitingCallersCancel_TheFactoryIsCancelled()
    {
        var key = NewKey();
        using var cancelled = new CancellationTokenSource();
        var (begun, ended) = (new TaskCompletionSource(), new TaskCompletionSource());
        var callers = Enumerable.Range(0, 2).Select(_ => Task.Run(async () => await Cache.GetOrCreateAsync(
            key,
            async token =>
            {
                begun.TrySetResult();
                await using var registration = token.Register(() => ended.TrySetResult());
                await ended.Task;
                token.ThrowIfCancellationRequested();
                return "late";
            },
            cancellationToken: cancelled.Token))).ToArray();
        await begun.Task.WaitAsync(WaitBudget, TimeProvider.System);
        await cancelled.CancelAsync();
        foreach (var caller in callers)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => caller);
        await ended.Task.WaitAsync(WaitBudget, TimeProvider.System);
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public async Task GetOrCreate_CancelledBefore_ThrowsWithoutRunning()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await GetAsync(NewKey(), cancellationToken: cancelled.Token));
        Assert.Equal(0, _runs);
    }

    [Fact]
    public async Task Set_ThenGet_GivesTheValue()
    {
        var key = NewKey();
        await Cache.SetAsync(key, "set");
        Assert.Equal("set", await GetAsync(key));
        await Cache.SetAsync(key, "again");
        Assert.Equal("again", await GetAsync(key));
    }

    [Fact]
    public async Task Remove_ThenGet_RunsTheFactoryAgain()
    {
        var key = NewKey();
        Assert.Equal("1", await GetAsync(key));
        await Cache.RemoveAsync(key);
        Assert.Equal("2", await GetAsync(key));
        await Cache.RemoveAsync([key, NewKey()]);
        Assert.Equal("3", await GetAsync(key));
        await Cache.RemoveAsync(NewKey());
    }

    [Fact]
    public async Task NullValue_IsCached()
    {
        var key = NewKey();
        for (var read = 0; read < 3; read++)
        {
            Assert.Null(await Cache.GetOrCreateAsync<string?>(key, _ =>
            {
                _runs++;
                return ValueTask.FromResult<string?>(null);
            }));
        }

        Assert.Equal(1, _runs);
    }

    [Fact]
    public async Task RemoveByTag_RemovesEntriesOfTheTagOnly()
    {
        var (tagged, other, plain, tag) = (NewKey(), NewKey(), NewKey(), NewKey());
        Assert.Equal("1", await GetAsync(tagged, tags: [tag, NewKey()]));
        Assert.Equal("2", await GetAsync(other, tags: [NewKey()]));
        Assert.Equal("3", await GetAsync(plain));
        await Cache.RemoveByTagAsync(tag);
        Assert.Equal("2", await GetAsync(other));
        Assert.Equal("3", await GetAsync(plain));
        Assert.Equal("4", await GetAsync(tagged, tags: [tag]));
        Assert.Equal("4", await GetAsync(tagged));
    }

    [Fact]
    public async Task RemoveByTag_OfSetEntry_RemovesIt()
    {
        var (key, tag) = (NewKey(), NewKey());
        await Cache.SetAsync(key, "set", tags: [tag]);
        await Cache.RemoveByTagAsync([NewKey(), tag]);
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public async Task RemoveByTag_Wildcard_RemovesAll()
    {
        var (tagged, plain) = (NewKey(), NewKey());
        await GetAsync(tagged, tags: [NewKey()]);
        await GetAsync(plain);
        await Cache.RemoveByTagAsync("*");
        Assert.Equal("3", await GetAsync(tagged));
        Assert.Equal("4", await GetAsync(plain));
        Assert.Equal("4", await GetAsync(plain));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("*")]
    public async Task Tags_EmptyOrWildcard_AreRefused(string tag)
    {
        await Assert.ThrowsAsync<ArgumentException>(async () => await GetAsync(NewKey(), tags: [tag]));
        await Assert.ThrowsAsync<ArgumentException>(async () => await GetAsync(NewKey(), tags: ["fine", tag]));
        await Assert.ThrowsAsync<ArgumentException>(async () => await Cache.SetAsync(NewKey(), 1, tags: [tag]));
    }

    [Fact]
    public async Task RemoveByTag_EmptyOrUnknown_DoesNothing()
    {
        await Cache.RemoveByTagAsync("");
        await Cache.RemoveByTagAsync(NewKey());
    }

    [Fact]
    public async Task Expiration_Passes_FactoryRunsAgain()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions { Expiration = TimeSpan.FromMilliseconds(200) };
        Assert.Equal("1", await GetAsync(key, options: options));
        await Eventually.TrueAsync(async () => await GetAsync(key, options: options) != "1", WaitBudget);
    }

    [Fact]
    public async Task DisableUnderlyingData_OnAMiss_GivesTheDefault()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableUnderlyingData };
        Assert.Null(await GetAsync(key, options: options));
        Assert.Equal(0, _runs);
        Assert.Equal("1", await GetAsync(key));
        Assert.Equal("1", await GetAsync(key, options: options));
    }

    [Fact]
    public async Task DisableBothCaches_RunsTheFactoryEachTime()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions { Flags = DisableBoth };
        Assert.Equal("1", await GetAsync(key, options: options));
        Assert.Equal("2", await GetAsync(key, options: options));
        Assert.Equal("3", await GetAsync(key));
        Assert.Equal("4", await GetAsync(key, options: options));
        Assert.Equal("3", await GetAsync(key));
    }

    [Fact]
    public async Task DisableBothWrites_StoresNothing()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions
        {
            Flags = HybridCacheEntryFlags.DisableLocalCacheWrite | HybridCacheEntryFlags.DisableDistributedCacheWrite,
        };
        Assert.Equal("1", await GetAsync(key, options: options));
        await Cache.SetAsync(key, "set", options);
        Assert.Equal("2", await GetAsync(key));
        Assert.Equal("2", await GetAsync(key, options: options));
    }

    [Fact]
    public async Task DisableBothReads_RefreshesTheEntry()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions
        {
            Flags = HybridCacheEntryFlags.DisableLocalCacheRead | HybridCacheEntryFlags.DisableDistributedCacheRead,
        };
        Assert.Equal("1", await GetAsync(key));
        Assert.Equal("2", await GetAsync(key, options: options));
        Assert.Equal("2", await GetAsync(key));
    }

    [Fact]
    public async Task DisableDistributedCache_IsCachedInTheProcess()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableDistributedCache };
        var tag = NewKey();
        Assert.Equal("1", await GetAsync(key, options: options, tags: [tag]));
        Assert.Equal("1", await GetAsync(key, options: options));
        Assert.Equal("1", await GetAsync(key));
        await Cache.RemoveByTagAsync(tag);
        Assert.Equal("2", await GetAsync(key, options: options));
        await Cache.RemoveAsync(key);
        Assert.Equal("3", await GetAsync(key, options: options));
        await Cache.SetAsync(key, "set", options);
        Assert.Equal("set", await GetAsync(key));
    }

    [Fact]
    public async Task DisableDistributedCache_MutableValue_IsACopyForEachReader()
    {
        var key = NewKey();
        var options = new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableDistributedCache };
        await Cache.SetAsync(key, new Article { Name = "tea" }, options);
        var first = await GetArticleAsync(key, options);
        first.Name = "changed";
        Assert.Equal("tea", (await GetArticleAsync(key, options)).Name);
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("line\nbreak")]
    [InlineData(null)]
    public async Task Key_Unusable_RunsTheFactoryEachTime(string? given)
    {
        var key = given ?? new string('k', 1_025);
        Assert.Equal("1", await GetAsync(key));
        Assert.Equal("2", await GetAsync(key));
        var options = new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableUnderlyingData };
        Assert.Null(await GetAsync(key, options: options));
    }

    [Fact]
    public async Task Key_OfMaximumLength_IsCached()
    {
        var key = NewKey();
        key += new string('ß', 1_024 - key.Length);
        Assert.Equal("1", await GetAsync(key));
        Assert.Equal("1", await GetAsync(key));
    }

    [Fact]
    public async Task Payload_TooLarge_IsGiven()
    {
        var key = NewKey();
        for (var read = 0; read < 2; read++)
        {
            var made = await Cache.GetOrCreateAsync(
                key, _ => ValueTask.FromResult(new Article { Name = new string('n', MaxPayloadBytes + 1) }));
            Assert.Equal(MaxPayloadBytes + 1, made.Name.Length);
        }
    }

    [Fact]
    public async Task Set_PayloadTooLarge_DoesNotThrow() =>
        await Cache.SetAsync(NewKey(), new Article { Name = new string('n', MaxPayloadBytes + 1) });

    [Fact]
    public async Task Collection_OfValues_IsCached()
    {
        var key = NewKey();
        for (var read = 0; read < 2; read++)
        {
            var made = await Cache.GetOrCreateAsync(key, _ =>
            {
                _runs++;
                return ValueTask.FromResult(new List<Article> { new() { Name = "tea" } });
            });
            Assert.Equal("tea", Assert.Single(made).Name);
        }

        Assert.Equal(1, _runs);
    }

    private protected static string NewKey() => Guid.NewGuid().ToString();

    private protected ValueTask<string> GetAsync(
        string key,
        Task? go = null,
        HybridCacheEntryOptions? options = null,
        string[]? tags = null,
        CancellationToken cancellationToken = default) => Cache.GetOrCreateAsync(
        key,
        async _ =>
        {
            var run = Interlocked.Increment(ref _runs);
            await (go ?? Task.CompletedTask);
            return $"{run}";
        },
        options,
        tags,
        cancellationToken);

    private ValueTask<Article> GetArticleAsync(string key, HybridCacheEntryOptions? options = null) =>
        Cache.GetOrCreateAsync(key, static _ => ValueTask.FromResult(new Article { Name = "tea" }), options);
}
