using System.Diagnostics.Metrics;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Semantics.OneWays;

/// <summary>Calls that nobody waits for. Acceptance cases 39 and 40.</summary>
public abstract class OneWaySemanticTests(SemanticBinding binding) : SemanticTests(binding), IDisposable
{
    private const int OneWayFailedId = 1006;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new LogRecorder().Allow(OneWayFailedId);
    private readonly ManualTimeProvider _time = new();
    private readonly DiaryPages _pages = new();

    protected override TimeProvider Time => _time;

    public void Dispose()
    {
        _pages.Open.TrySetResult();
        _pages.End.Set();
        _logs.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    [Trait("Case", "glue-40")]
    public async Task Failure_OnTheServer_IsLoggedAndCounted_AndNotFatal()
    {
        using var counts = new MeasuredCounts(Server.Services.GetRequiredService<IMeterFactory>());
        ITiming timing = Proxy<ITiming>();
        await timing.FailSilentlyAsync();
        LogEntry entry = await _logs.WaitForAsync(OneWayFailedId, Bound);
        Assert.Contains("ITiming.FailSilentlyAsync", entry.Message, StringComparison.Ordinal);
        Assert.Equal("nobody hears this", entry.Exception!.Message);
        await timing.FailSilentlyAsync();
        string counted = $"cluster.glue.oneways.failed rpc.method={typeof(ITiming)}.FailSilentlyAsync "
            + "error.type=System.InvalidOperationException";
        await Eventually.TrueAsync(() => counts[counted] == 2, Bound);
        Assert.Equal(2, counts["cluster.glue.oneways.failed"]);
        await timing.NoteAsync("fine");
        Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
        Assert.Equal(2, counts["cluster.glue.oneways.failed"]);
    }

    [Fact]
    [Trait("Case", "glue-39")]
    public Task Caller_GoesOnBeforeTheServerHasRun_AndItsNextCallRunsAfter() => CheckOrderAsync(() => Proxy<IDiary>());

    [Fact]
    [Trait("Case", "glue-39")]
    public Task SharedService_KeepsTheSameOrder() => CheckOrderAsync(() => Proxy<ISharedDiary>());

    [Fact]
    [Trait("Case", "glue-39")]
    [Trait("Case", "glue-67")]
    public async Task OneWaysOfOneProxy_RunOneAfterTheOther()
    {
        IDiary diary = Proxy<IDiary>();
        _pages.Open.SetResult();
        string[] lines = Enumerable.Range(0, 500).Select(i => $"line {i}").ToArray();
        foreach (string line in lines)
            await diary.WriteAsync(line);
        Assert.Equal(lines, await diary.ReadAsync().WaitAsync(Bound));
    }

    [Fact]
    public async Task OneWayThatDoesNotEnd_HoldsOthersUpToItsDeadline()
    {
        IDiary diary = Proxy<IDiary>();
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(2)))
            await diary.WriteAsync("for ever");
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(4)))
            diary.Block();
        Task<string[]> read = diary.ReadAsync();
        Assert.Empty(await Proxy<IDiary>().ReadAsync().WaitAsync(Bound));
        _time.Advance(TimeSpan.FromSeconds(2) + GlueLimits.TickInterval);
        // It has a thread that it does not give back, of the line itself.
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        Assert.False(read.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(2) + GlueLimits.TickInterval);
        Assert.Empty(await read.WaitAsync(Bound));
        // And what comes later waits for nobody.
        Assert.Empty(await diary.ReadAsync().WaitAsync(Bound));
    }

    // What waits for other calls does not wait for a thread.
    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.QueueDelayMax = TimeSpan.FromSeconds(1);
    }

    private async Task CheckOrderAsync(Func<IDiary> proxy)
    {
        IDiary diary = proxy();
        Assert.Empty(await diary.ReadAsync().WaitAsync(Bound));
        await diary.WriteAsync("first").WaitAsync(Bound);
        await diary.WriteAsync("second").WaitAsync(Bound);
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        Task<string[]> read = diary.ReadAsync();
        // Other proxies do not wait.
        Assert.Empty(await proxy().ReadAsync().WaitAsync(Bound));
        Assert.False(read.IsCompleted);
        Assert.Equal(0, _pages.Begun.CurrentCount);
        _pages.Open.SetResult();
        Assert.Equal(["first", "second"], await read.WaitAsync(Bound));
    }

    private protected override void AddServices(GlueServerBuilder glue)
    {
        glue.Services.AddSingleton(_pages);
        glue.AddService<IDiary, Diary>().AddService<ISharedDiary, Diary>(GlueInstanceMode.Singleton);
        glue.Services.AddLogging(
            logging => logging.AddProvider(_logs.Provider).AddFilter("Cluster", LogLevel.Warning));
        base.AddServices(glue);
    }
}
