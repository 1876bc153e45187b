using System.Diagnostics.Metrics;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Semantics.OneWays;

/// <summary>Calls that nobody waits for. Acceptance cases 39, 40, 106 and 108.</summary>
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
        _logs.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    [Trait("Case", "glue-40")]
    public async Task Failure_OnTheServer_IsLoggedAndCounted_AndNotFatal()
    {
        using var counts = new MeasuredCounts(Server.Services.GetRequiredService<IMeterFactory>());
        var timing = Proxy<ITiming>();
        await timing.FailSilentlyAsync();
        var entry = await _logs.WaitForAsync(OneWayFailedId, Bound);
        Assert.Contains("ITiming.FailSilentlyAsync", entry.Message, StringComparison.Ordinal);
        Assert.Equal("nobody hears this", entry.Exception!.Message);
        await timing.FailSilentlyAsync();
        var counted = $"cluster.glue.oneways.failed rpc.method={typeof(ITiming)}/FailSilentlyAsync "
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
        var diary = Proxy<IDiary>();
        _pages.Open.SetResult();
        var lines = Enumerable.Range(0, 500).Select(i => $"line {i}").ToArray();
        foreach (var line in lines)
            await diary.WriteAsync(line);
        Assert.Equal(lines, await diary.ReadAsync().WaitAsync(Bound));
    }

    [Fact]
    public async Task OneWayThatDoesNotEnd_HoldsOthersUpToItsDeadline()
    {
        var diary = Proxy<IDiary>();
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(2)))
            await diary.WriteAsync("for ever");
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(4)))
            diary.Block();
        var read = diary.ReadAsync();
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

    [Fact]
    public async Task OneWayWhoseTimePassesWhileItWaits_DoesNotRun()
    {
        var diary = Proxy<IDiary>();
        await diary.WriteAsync("first").WaitAsync(Bound);
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(2)))
            await diary.WriteAsync("too late").WaitAsync(Bound);
        await diary.WriteAsync("last").WaitAsync(Bound);
        var read = diary.ReadAsync();
        // It comes after them, and does not wait.
        Assert.Empty(await Proxy<IDiary>().ReadAsync().WaitAsync(Bound));
        _time.Advance(TimeSpan.FromSeconds(2) + GlueLimits.TickInterval);
        _pages.Open.SetResult();
        Assert.Equal(["first", "last"], await read.WaitAsync(Bound));
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        Assert.Equal(0, _pages.Begun.CurrentCount);
        await _logs.WaitForAsync(OneWayFailedId, Bound);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "glue-108")]
    public async Task CallsOfAClientThatIsDisposed_RunAllTheSame(bool isHeldUp)
    {
        await using var client = NewClient();
        var diary = client.CreateProxy<IDiary>(Target);
        Assert.Empty(await diary.ReadAsync().WaitAsync(Bound));
        if (!isHeldUp)
            _pages.Open.SetResult();
        var lines = Enumerable.Range(0, 500).Select(i => $"line {i}").ToArray();
        var sent = lines.Select(diary.WriteAsync).ToArray();
        // Of those that have arrived one runs, and the others wait for it.
        if (isHeldUp)
            Assert.True(await _pages.Begun.WaitAsync(Bound));
        await client.DisposeAsync().AsTask().WaitAsync(Bound);
        await Task.WhenAll(sent).WaitAsync(Bound);
        if (isHeldUp)
            _pages.Open.SetResult();
        await Eventually.TrueAsync(() => _pages.Lines.Length == lines.Length, Bound);
        Assert.Equal(lines, Binding.ArrivesAsSent ? _pages.Lines : lines.Where(_pages.Lines.Contains));
    }

    [Fact]
    [Trait("Case", "glue-108")]
    public async Task LargeCallOfAClientThatIsDisposed_RunsAllTheSame()
    {
        _pages.Open.SetResult();
        await using var client = NewClient();
        var diary = client.CreateProxy<IDiary>(Target);
        Assert.Empty(await diary.ReadAsync().WaitAsync(Bound));
        string[] lines = [new('a', 500_000), "small"];
        var sent = lines.Select(diary.WriteAsync).ToArray();
        await client.DisposeAsync().AsTask().WaitAsync(Bound);
        await Task.WhenAll(sent).WaitAsync(Bound);
        await Eventually.TrueAsync(() => _pages.Lines.Length == lines.Length, Bound);
        Assert.Equal(lines, Binding.ArrivesAsSent ? _pages.Lines : lines.Where(_pages.Lines.Contains));
    }

    [Fact]
    [Trait("Case", "glue-106")]
    public async Task StoppingServer_WaitsForCallsOfClientsThatHaveLeft()
    {
        var lines = await LeaveBehindAsync();
        var stopping = Server.StopAsync();
        // Each of these is time enough for a server that does not wait.
        for (var i = 0; i < 10; i++)
            await Eventually.TrueAsync(IsRefusedAsync, Bound);
        Assert.False(stopping.IsCompleted);
        _pages.Open.SetResult();
        await stopping.WaitAsync(Bound);
        Assert.Equal(lines, _pages.Lines);
    }

    [Fact]
    [Trait("Case", "glue-106")]
    public async Task StoppingServer_CancelsWhatDoesNotEndWithinTheDrainTime()
    {
        await LeaveBehindAsync();
        var stopping = Server.StopAsync();
        await Eventually.TrueAsync(
            () =>
            {
                _time.Advance(TimeSpan.FromSeconds(1));
                return stopping.IsCompleted;
            },
            Bound);
        await stopping;
        _pages.Open.SetResult();
        await _logs.WaitForAsync(OneWayFailedId, Bound);
        Assert.Empty(_pages.Lines);
    }

    private protected override void LetGo()
    {
        base.LetGo();
        _pages.Open.TrySetResult();
        _pages.End.Set();
    }

    // What waits for other calls does not wait for a thread.
    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.MaxQueueDelay = TimeSpan.FromSeconds(1);
    }

    private async Task<string[]> LeaveBehindAsync()
    {
        await using var client = NewClient();
        var diary = client.CreateProxy<IDiary>(Target);
        string[] lines = ["first", "second"];
        using (GlueCall.WithDeadline(GlueLimits.DeadlineHighest))
        {
            foreach (var line in lines)
                await diary.WriteAsync(line).WaitAsync(Bound);
        }

        Assert.True(await _pages.Begun.WaitAsync(Bound));
        return lines;
    }

    private async ValueTask<bool> IsRefusedAsync()
    {
        try
        {
            await Proxy<IShapes>().TwiceAsync(1).WaitAsync(Bound);
            return false;
        }
        catch (GlueException refused)
        {
            Assert.Equal(GlueDelivery.NotDelivered, refused.Delivery);
            return true;
        }
    }

    private async Task CheckOrderAsync(Func<IDiary> proxy)
    {
        var diary = proxy();
        Assert.Empty(await diary.ReadAsync().WaitAsync(Bound));
        await diary.WriteAsync("first").WaitAsync(Bound);
        await diary.WriteAsync("second").WaitAsync(Bound);
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        var read = diary.ReadAsync();
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
        // The clock of the test bounds the end of its server.
        glue.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromMinutes(10));
        base.AddServices(glue);
    }
}
