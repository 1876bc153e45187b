using Cluster.Pile.Caching;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Loads through a table, as users ask for them.</summary>
public sealed class CacheLoadTests(ITestOutputHelper output) : IDisposable
{
    private const int Callers = 1000;

    private readonly Caches _caches = new();

    public void Dispose() => _caches.Dispose();

    [Fact]
    [Trait("Case", "pile-24")]
    public async Task AThousandCallers_OfOneKey_LoadOnce()
    {
        var table = _caches.Create<int, List<int>>();
        var (calls, answer) = (0, new TaskCompletionSource<List<int>>());
        var callers = Enumerable.Range(0, Callers).Select(_ => table.GetOrAddAsync(1, (key, _) =>
        {
            Interlocked.Increment(ref calls);
            return new ValueTask<List<int>>(answer.Task);
        }).AsTask()).ToList();
        Assert.Equal(1, table.GetStatistics().Loads);
        answer.SetResult([1, 2, 3]);
        var values = await Task.WhenAll(callers);
        Assert.Equal(1, calls);
        Assert.All(values, value => Assert.Equal([1, 2, 3], value));

        // Nobody gets an object that another one may change.
        Assert.Equal(Callers, values.Distinct<object>(ReferenceEqualityComparer.Instance).Count());
        Assert.Equal(0, table.GetStatistics().Loads);
        Assert.Equal(1, table.Count);
    }

    [Fact]
    [Trait("Case", "pile-24")]
    public async Task ThreadsAtOnce_OnOneKey_LoadOnce()
    {
        const int Threads = 16;
        var table = _caches.Create<int, string>();
        for (var round = 0; round < 100; round++)
        {
            var calls = 0;
            using var start = new Barrier(Threads);
            var workers = Enumerable.Range(0, Threads).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    return table.GetOrAdd(round, key =>
                    {
                        Interlocked.Increment(ref calls);
                        return $"value {key}";
                    });
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default));
            Assert.All(await Task.WhenAll(workers), value => Assert.Equal($"value {round}", value));
            Assert.Equal(1, calls);
        }
    }

    [Fact]
    [Trait("Case", "pile-24")]
    public async Task SlowLoad_OfOneKey_DelaysNoOther()
    {
        const int Others = 20_000;
        var table = _caches.Create<int, string>();
        var answer = new TaskCompletionSource<string>();
        var slow = table.GetOrAddAsync(0, (_, _) => new ValueTask<string>(answer.Task)).AsTask();
        var underAMillisecond = 0;
        for (var key = 1; key <= Others; key++)
        {
            var began = Stopwatch.GetTimestamp();
            Assert.Equal($"{key}", table.GetOrAdd(key, k => $"{k}"));
            underAMillisecond += Stopwatch.GetElapsedTime(began).TotalMilliseconds < 1 ? 1 : 0;
        }

        // All of them ended while the slow one had not; how fast is the machine's as well, so it is only told.
        Assert.False(slow.IsCompleted);
        output.WriteLine($"{underAMillisecond:N0} of {Others:N0} other loads took less than 1 ms.");
        answer.SetResult("slow");
        Assert.Equal("slow", await slow);
    }

    [Fact]
    [Trait("Case", "pile-24")]
    public async Task FailingLoad_ReachesAll_AndTheNextCallLoads()
    {
        var table = _caches.Create<string, string>();
        var answer = new TaskCompletionSource<string>();
        var callers = Enumerable.Range(0, Callers)
            .Select(_ => table.GetOrAddAsync("key", (_, _) => new ValueTask<string>(answer.Task)).AsTask()).ToList();
        answer.SetException(new TimeoutException("source"));
        foreach (var caller in callers)
            Assert.Equal("source", (await Assert.ThrowsAsync<TimeoutException>(() => caller)).Message);
        Assert.Equal(0, table.Count);
        Assert.Equal("again", await table.GetOrAddAsync("key", (_, _) => new ValueTask<string>("again")));
    }

    [Fact]
    public async Task PutAndRemove_DuringALoad_WinOverItsResult()
    {
        var table = _caches.Create<string, string>(null, KeyCodecs.OrdinalIgnoreCase);
        var answer = new TaskCompletionSource<string>();
        var overPut = table.GetOrAddAsync("a", (_, _) => new ValueTask<string>(answer.Task)).AsTask();
        var overRemove = table.GetOrAddAsync("b", (_, _) => new ValueTask<string>(answer.Task)).AsTask();
        var overClear = table.GetOrAddAsync("c", (_, _) => new ValueTask<string>(answer.Task)).AsTask();
        table.Put("A", "put");
        table.Remove("B");
        Assert.Equal(1, table.GetStatistics().Loads);
        table.Clear();
        table.Put("a", "put again");
        answer.SetResult("loaded");
        Assert.Equal("put again", await overPut);
        Assert.Equal("loaded", await overRemove);
        Assert.Equal("loaded", await overClear);
        Assert.Equal("A", Assert.Single(table.Enumerate()).Key);
    }

    [Fact]
    public async Task CancelledCaller_LeavesTheOthers()
    {
        using var cancellation = new CancellationTokenSource();
        var table = _caches.Create<int, string>();
        var leader = table.GetOrAddAsync(
            1,
            async (_, token) =>
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token);
                return "";
            },
            cancellationToken: cancellation.Token).AsTask();
        var follower = table.GetOrAddAsync(1, (_, _) => new ValueTask<string>("second")).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leader);
        Assert.Equal("second", await follower);
    }

    [Fact]
    public void FactoryThatAsksForItsKey_ByWayOfAnotherTable_IsRefused()
    {
        var one = _caches.Create<int, string>(name: "one");
        var two = _caches.Create<int, string>(name: "two");
        Assert.Throws<InvalidOperationException>(
            () => one.GetOrAdd(1, key => two.GetOrAdd(key, other => one.GetOrAdd(other, _ => ""))));
        Assert.Equal((0, 0), (one.Count, two.Count));
        Assert.Equal("x", one.GetOrAdd(1, key => two.GetOrAdd(key, _ => "x")));
    }

    [Fact]
    public void LoadedValue_ThatCannotBeCarried_FailsTheLoad()
    {
        var table = _caches.Create<int, object>();
        Assert.ThrowsAny<Cluster.Slim.SlimException>(() => table.GetOrAdd(1, _ => new ReaderWriterLockSlim()));
        Assert.Equal(0, table.Count);
        Assert.Equal("x", table.GetOrAdd(1, _ => "x"));
    }
}
