using Cluster.Glue.Sessions;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Transport;
using Cluster.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Connecting, losing, draining, choosing endpoints. Acceptance cases 78, 87, 91, 106 and 108.</summary>
[WithCanaryArrays]
public class LinkLifeTests
{
    // Far more than any test waits: what is bounded by it only would be seen as a hang.
    private static readonly TimeSpan Forever = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task NobodyListens_IsUnreachable_AndNotDelivered()
    {
        await using var client = new GlueClient();
        using var nobody = new RefusingPort();
        var shapes = client.CreateProxy<IShapes>(nobody.Address);
        var exception = await Assert.ThrowsAsync<GlueException>(() => shapes.TwiceAsync(1));
        Assert.Equal(GlueErrorKind.Unreachable, exception.Kind);
        Assert.Equal(GlueDelivery.NotDelivered, exception.Delivery);
        Assert.Equal(GlueErrorCode.ConnectFailed, exception.Code);
    }

    [Fact]
    [Trait("Case", "glue-78")]
    public async Task Proxy_SurvivesARestartOfItsServer()
    {
        var port = FreePorts.Next();
        void Listen(GlueServerOptions options) => options.ListenAddress = $"http://127.0.0.1:{port}";
        await using var client = new GlueClient();
        var shapes = client.CreateProxy<IShapes>($"http://127.0.0.1:{port}");
        await using (await GlueHost.StartAsync(Listen))
            Assert.Equal(2, await shapes.TwiceAsync(1));
        await Assert.ThrowsAsync<GlueException>(() => shapes.TwiceAsync(1));
        await using (await GlueHost.StartAsync(Listen))
            await Eventually.TrueAsync(async () => await TryTwiceAsync(shapes), Bound);
    }

    [Fact]
    public async Task HostStop_WithOpenLinks_DoesNotWaitForThem_AndFinishesRunningCalls()
    {
        var host = await GlueHost.StartAsync(options => options.DrainTimeout = Forever, glue =>
        {
            glue.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Forever);
            GlueHost.AddSemanticServices(glue);
        });
        await using var client = new GlueClient();
        var running = Enumerable.Range(0, 100)
            .Select(client.CreateProxy<IShapes>(host.Address).TwiceAsync).ToArray();
        await running[0];
        await host.DisposeAsync().AsTask().WaitAsync(Bound);
        foreach (var call in running)
            Assert.True(await EndsProperlyAsync(call));
    }

    [Fact]
    public async Task Link_ToAServerThatStops_IsTurnedAwayWithoutAWarning()
    {
        using var logs = new LogRecorder();
        var host = await GlueHost.StartAsync(options => options.DrainTimeout = Forever, glue =>
        {
            glue.Services.AddLogging(logging => logging.AddProvider(logs.Provider));
            GlueHost.AddSemanticServices(glue);
        });
        await using var client = new GlueClient();
        var call = client.CreateProxy<ITiming>(host.Address).WaitForeverAsync();
        var seen = host.Services.GetRequiredService<Observations>();
        Assert.True(await seen.Started.WaitAsync(Bound));
        using var late = new RawLink(host.Address);
        var stopping = host.StopAsync();

        // Until the server has begun to stop, a link that ends after its Hello is served.
        await Eventually.TrueAsync(async () => (await late.SendAsync(RawLink.HelloFrame())).Status == "14", Bound);
        seen.End.SetResult();
        await call.WaitAsync(Bound);
        await stopping.WaitAsync(Bound);
        await host.DisposeAsync();
    }

    [Fact]
    [Trait("Case", "glue-106")]
    public async Task WebHostStop_WithOpenLinks_DoesNotWaitForThem()
    {
        await using var app = await StartWebAsync(HttpProtocols.Http2);
        await using var client = new GlueClient();
        Assert.Equal(2, await client.CreateProxy<IShapes>(app.Urls.First()).TwiceAsync(1));
        await app.StopAsync().WaitAsync(Bound);
    }

    [Fact]
    public async Task MapGlue_WithoutAnHttp2Endpoint_FailsStartUpWithTheRemedy()
    {
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() => StartWebAsync(HttpProtocols.Http1));
        Assert.Contains("Kestrel:Endpoints:Glue:Protocols=Http2", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PortInUse_FailsStartUpClearly()
    {
        await using var first = await GlueHost.StartAsync();
        var exception = await Assert.ThrowsAsync<GlueListenException>(
            () => GlueHost.StartAsync(options => options.ListenAddress = first.Address));
        Assert.Contains("is in use", exception.Message, StringComparison.Ordinal);
        Assert.Contains("Glue:Server:ListenAddress", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "glue-108")]
    public async Task ClientThatIsDisposedWhileItConnects_LeavesNoLinkBehind()
    {
        await using var host = await GlueHost.StartAsync();
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var options = new GlueClientOptions
        {
            WrapConnector = inner => new HeldConnector(inner, gate.Task, cancelled),
        };
        var client = new GlueClient(options);
        var call = client.CreateProxy<IShapes>(host.Address).TwiceAsync(1);
        var disposal = client.DisposeAsync().AsTask();
        await cancelled.Task.WaitAsync(Bound);
        // Time enough for a disposal that does not wait for what is opened yet.
        for (var i = 0; i < 100; i++)
            await Task.Yield();
        Assert.False(disposal.IsCompleted);
        gate.SetResult();
        await disposal.WaitAsync(Bound);
        var failure = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        Assert.Equal(GlueErrorCode.ClientDisposed, failure.Code);
        await Eventually.TrueAsync(() => host.Services.GetRequiredService<ServerRuntime>().Links.Count == 0, Bound);
    }

    [Fact]
    public async Task Selector_MovesUndeliveredCallsToAnotherEndpoint()
    {
        await using var host = await GlueHost.StartAsync();
        await using var client = new GlueClient();
        using var nobody = new RefusingPort();
        var selector = new InOrder(nobody.Address, host.Address);
        Assert.Equal(2, await client.CreateProxy<IShapes>(selector).TwiceAsync(1));
        Assert.Equal(2, selector.Asked);
    }

    [Fact]
    public async Task Selector_WithoutAnyEndpoint_IsUnreachable()
    {
        await using var client = new GlueClient();
        var exception = await Assert.ThrowsAsync<GlueException>(
            () => client.CreateProxy<IShapes>(new InOrder()).TwiceAsync(1));
        Assert.Equal(GlueErrorCode.NoEndpoint, exception.Code);
        Assert.Equal(GlueDelivery.NotDelivered, exception.Delivery);
    }

    [Fact]
    public async Task CallsInFlightLimit_MakesCallersWait_ThenFailsTyped()
    {
        await using var host = await GlueHost.StartAsync();
        var time = new ManualTimeProvider();
        await using var client = new GlueClient(new GlueClientOptions { MaxCallsInFlight = 1, TimeProvider = time });
        var timing = client.CreateProxy<ITiming>(host.Address);
        using var stop = new CancellationTokenSource();
        var first = timing.WaitForCancellationAsync(stop.Token);
        Assert.True(await host.Services.GetRequiredService<Observations>().Started.WaitAsync(Bound));
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(200)))
        {
            var second = timing.NotesAsync();
            Assert.False(second.IsCompleted);
            time.Advance(TimeSpan.FromMilliseconds(200));
            var exception = await Assert.ThrowsAsync<GlueException>(() => second.WaitAsync(Bound));
            Assert.Equal(GlueErrorKind.Overloaded, exception.Kind);
            Assert.Equal(GlueErrorCode.CallsInFlightLimit, exception.Code);
        }

        var waiting = timing.NotesAsync();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        Assert.Empty(await waiting.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-108")]
    public async Task DisposedClient_FailsCallsUnderWay_AndLaterOnes()
    {
        await using var host = await GlueHost.StartAsync();
        var client = new GlueClient();
        var timing = client.CreateProxy<ITiming>(host.Address);
        var call = timing.WaitForeverAsync();
        Assert.True(await host.Services.GetRequiredService<Observations>().Started.WaitAsync(Bound));
        await client.DisposeAsync();
        await client.DisposeAsync();
        Assert.Equal(GlueErrorKind.Broken, (await Assert.ThrowsAsync<GlueException>(() => call)).Kind);
        var later = await Assert.ThrowsAsync<GlueException>(() => timing.WaitForeverAsync());
        Assert.Equal(GlueErrorCode.ClientDisposed, later.Code);
    }

    [Fact]
    public async Task IdleLink_StaysAlive_ThroughHeartbeats()
    {
        var interval = TimeSpan.FromMilliseconds(700);
        await using var host = await GlueHost.StartAsync(options => options.HeartbeatInterval = interval);
        await using var client = new GlueClient(new GlueClientOptions { HeartbeatInterval = interval });
        var timing = client.CreateProxy<ITiming>(host.Address);
        using var stop = new CancellationTokenSource();
        var call = timing.WaitForCancellationAsync(stop.Token);
        using var second = new PeriodicTimer(TimeSpan.FromSeconds(3));
        await second.WaitForNextTickAsync();
        Assert.False(call.IsCompleted);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Fact]
    public void InvalidOptions_AreAllNamedAtOnce()
    {
        var options = new GlueClientOptions
        {
            MaxMessageBytes = 1,
            MaxCallsInFlight = 0,
            MaxLinkAge = TimeSpan.FromMilliseconds(999),
        };
        var exception = Assert.Throws<ArgumentException>(() => new GlueClient(options));
        foreach (var option in (string[])["MaxMessageBytes", "MaxCallsInFlight", "MaxLinkAge"])
            Assert.Contains($"Glue:Client:{option} is", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task InvalidServerOptions_FailStartUp_AllAtOnce()
    {
        var exception = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => GlueHost.StartAsync(options =>
            {
                options.ListenAddress = "ftp://x";
                options.DrainTimeout = TimeSpan.FromDays(1);
            }));
        Assert.Contains("Glue:Server:ListenAddress", exception.Message, StringComparison.Ordinal);
        Assert.Contains("Glue:Server:DrainTimeout", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(nameof(GlueClientOptions.StreamWindowItems), 0, 1)]
    [InlineData(nameof(GlueClientOptions.StreamWindowItems), 1_048_577, 1_048_576)]
    [InlineData(nameof(GlueClientOptions.StreamWindowBytes), 16_383, 16_384)]
    [InlineData(nameof(GlueClientOptions.StreamWindowBytes), 268_435_457, 268_435_456)]
    [InlineData(nameof(GlueClientOptions.MaxReferences), 15, 16)]
    [InlineData(nameof(GlueClientOptions.MaxReferences), 16_777_217, 16_777_216)]
    public async Task NumbersOutsideTheirRange_AreNamed_OnBothSides(string option, int refused, int taken)
    {
        var client = Assert.Throws<ArgumentException>(() => new GlueClient(With(new GlueClientOptions(), refused)));
        Assert.Contains($"Glue:Client:{option}", client.Message, StringComparison.Ordinal);
        var server = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => GlueHost.StartAsync(options => With(options, refused)));
        Assert.Contains($"Glue:Server:{option}", server.Message, StringComparison.Ordinal);
        await using var host = await GlueHost.StartAsync(options => With(options, taken));
        await using var good = new GlueClient(With(new GlueClientOptions(), taken));

        T With<T>(T options, int value)
        {
            typeof(T).GetProperty(option)!.SetValue(options, value);
            return options;
        }
    }

    private static async Task<bool> TryTwiceAsync(IShapes shapes)
    {
        try
        {
            return await shapes.TwiceAsync(1) == 2;
        }
        catch (GlueException)
        {
            return false;
        }
    }

    private static async Task<bool> EndsProperlyAsync(Task<int> call)
    {
        try
        {
            await call.WaitAsync(Bound);
            return true;
        }
        catch (GlueException exception)
        {
            return exception.Delivery == GlueDelivery.NotDelivered;
        }
    }

    private static async Task<WebApplication> StartWebAsync(HttpProtocols protocols)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Forever);
        builder.WebHost.ConfigureKestrel(
            kestrel => kestrel.ListenLocalhost(FreePorts.Next(), endpoint => endpoint.Protocols = protocols));
        GlueHost.AddSemanticServices(builder.Services.AddGlueServer(options => options.DrainTimeout = Forever));
        var app = builder.Build();
        app.MapGlue();
        try
        {
            await app.StartAsync();
            return app;
        }
        catch
        {
            await app.DisposeAsync();
            throw;
        }
    }

    /// <summary>Opens streams late, also when their opener has given up.</summary>
    private sealed class HeldConnector(IMessageConnector inner, Task gate, TaskCompletionSource cancelled)
        : IMessageConnector
    {
        public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
        {
            await using var seen =
                cancellationToken.Register(() => cancelled.TrySetResult());
            await gate;
            return await inner.OpenAsync(address, CancellationToken.None);
        }
    }
}
