using System.Diagnostics.Metrics;
using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Stopping servers and disposed clients: what runs is finished, what comes goes elsewhere.</summary>
[WithCanaryArrays]
public sealed class DrainTests
{
    // Far more than any test waits: what is bounded by it only would be seen as a hang.
    private static readonly TimeSpan Forever = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private const int HeldItems = 5000;
    private const int CallsStream = 2;

    [Fact]
    [Trait("Case", "glue-106")]
    [Trait("Case", "glue-87")]
    public async Task HostStop_WithAThousandRunningCalls_EndsWithTheLastOfThem()
    {
        var time = new ManualTimeProvider();
        await using var host = await StartAsync(Forever, time);
        using var end = new EndOfTime(time);
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Forever });
        var timing = client.CreateProxy<ITiming>(host.Address);
        var seen = host.Services.GetRequiredService<Observations>();
        var calls = Enumerable.Range(0, 1000).Select(_ => timing.WaitForeverAsync()).ToArray();
        for (var i = 0; i < calls.Length; i++)
            Assert.True(await seen.Started.WaitAsync(Bound));
        var stopping = host.StopAsync();
        try
        {
            await LetTimePassAsync(time, client.CreateProxy<IShapes>(host.Address));
            Assert.False(stopping.IsCompleted);
            Assert.DoesNotContain(calls, static call => call.IsCompleted);
        }
        finally
        {
            seen.End.SetResult();
        }

        await stopping.WaitAsync(Bound);
        await Task.WhenAll(calls).WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-106")]
    public async Task HostStop_WithCallsThatDoNotEnd_EndsWithTheDrainTime()
    {
        await using var host = await StartAsync(TimeSpan.FromMilliseconds(100));
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Forever });
        var timing = client.CreateProxy<ITiming>(host.Address);
        var seen = host.Services.GetRequiredService<Observations>();
        var calls = Enumerable.Range(0, 1000).Select(_ => timing.WaitForeverAsync()).ToArray();
        for (var i = 0; i < calls.Length; i++)
            Assert.True(await seen.Started.WaitAsync(Bound));
        await host.StopAsync().WaitAsync(Bound);
        foreach (var call in calls)
        {
            var lost = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
            Assert.Equal((GlueErrorKind.Broken, GlueDelivery.Unknown), (lost.Kind, lost.Delivery));
        }

        seen.End.SetResult();
    }

    [Fact]
    [Trait("Case", "glue-106")]
    public async Task HostStop_WaitsForStreamsThatAreRead_BothWays()
    {
        var time = new ManualTimeProvider();
        await using var host = await StartAsync(Forever, time);
        using var end = new EndOfTime(time);
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Forever, ConnectTimeout = Bound });
        var goOn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var reading =
            client.CreateProxy<IStreams>(host.Address).DoubleAsync(HeldAsync(goOn.Task)).GetAsyncEnumerator();
        Assert.True(await reading.MoveNextAsync());
        var stopping = host.StopAsync();
        // No call is under way: a link that does not wait for its streams would end now.
        try
        {
            await LetTimePassAsync(time, client.CreateProxy<IShapes>(host.Address));
            Assert.False(stopping.IsCompleted);
        }
        finally
        {
            goOn.SetResult();
        }

        var rest = new List<int>();
        while (await reading.MoveNextAsync())
            rest.Add(reading.Current);
        Assert.Equal(Enumerable.Range(2, HeldItems - 1).Select(i => 2 * i), rest);
        await stopping.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-106")]
    public async Task HostStop_WithAStreamThatDoesNotEnd_EndsItTyped_WithTheDrainTime()
    {
        await using var host = await StartAsync(TimeSpan.FromMilliseconds(100));
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Forever, ConnectTimeout = Bound });
        var seen = host.Services.GetRequiredService<Observations>();
        await using var reading =
            client.CreateProxy<IStreams>(host.Address).CountAsync(int.MaxValue).GetAsyncEnumerator();
        Assert.True(await reading.MoveNextAsync());
        await host.StopAsync().WaitAsync(Bound);
        var gone = await Assert.ThrowsAsync<GlueException>(async () =>
        {
            while (await reading.MoveNextAsync())
                Assert.True(reading.Current > 0);
        });
        Assert.Equal((GlueErrorKind.Broken, GlueErrorCode.StreamGone), (gone.Kind, gone.Code));
        await Eventually.TrueAsync(() => seen.Notes.Contains("closed"), Bound);
    }

    [Fact]
    [Trait("Case", "glue-107")]
    [Trait("Case", "glue-87")]
    public async Task Drain_IsAnnounced_AndPeersMoveBeforeTheStop()
    {
        await using var first = await StartAsync(Forever);
        await using var second = await StartAsync(Forever);
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Forever });
        var selector = new InOrder(first.Address, second.Address);
        var counter = client.CreateProxy<ISharedCounter>(selector);
        var held = client.CreateProxy<ITiming>(selector).WaitForeverAsync();
        var seen = first.Services.GetRequiredService<Observations>();
        Assert.True(await seen.Started.WaitAsync(Bound));
        for (var i = 1; i <= 10; i++)
            Assert.Equal(i, await counter.NextAsync().WaitAsync(Bound));
        var link = Assert.Single(client.Links);
        var stopping = first.StopAsync();

        // Nobody calls: it is the server that says so.
        await Eventually.TrueAsync(() => !link.IsOpen, Bound);
        Assert.True(link.IsAlive);

        // No call fails, and those of the second server count from one again.
        var last = 10;
        await Eventually.TrueAsync(
            async () =>
            {
                var next = await counter.NextAsync();
                Assert.True(next == last + 1 || next == 1);
                last = next;
                return next == 1;
            },
            Bound);
        Assert.False(stopping.IsCompleted);
        Assert.False(held.IsCompleted);
        seen.End.SetResult();
        await held.WaitAsync(Bound);
        await stopping.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-107")]
    public async Task OneWays_OnTheirWayWhenTheServerBeginsToDrain_RunAllTheSame()
    {
        await using var host = await StartAsync(Forever);
        var faults = new FaultyLink(seed: 20261122);
        var options = new GlueClientOptions { DefaultDeadline = Forever };
        faults.Attach(options);
        await using var client = new GlueClient(options);
        var timing = client.CreateProxy<ITiming>(host.Address);
        var held = timing.WaitForeverAsync();
        var seen = host.Services.GetRequiredService<Observations>();
        Assert.True(await seen.Started.WaitAsync(Bound));
        faults.Hold(CallsStream);
        var notes = Enumerable.Range(0, 100).Select(i => $"note {i}").ToArray();
        foreach (var note in notes)
            await timing.NoteAsync(note).WaitAsync(Bound);
        var stopping = host.StopAsync();
        await using var other = new GlueClient();
        await WaitUntilRefusedAsync(other.CreateProxy<IShapes>(host.Address));
        faults.Release(CallsStream);
        await Eventually.TrueAsync(() => seen.Notes.Count == notes.Length, Bound);
        Assert.Equal(notes, seen.Notes);
        seen.End.SetResult();
        await held.WaitAsync(Bound);
        await stopping.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-107")]
    [Trait("Case", "glue-87")]
    [Trait("Case", "glue-103")]
    public async Task CallOnItsWay_WhenTheDrainBegins_IsRefused_AndGoesElsewhere()
    {
        var faults = new FaultyLink(seed: 20261122);
        // On a clock that stands still the server waits for its peer to leave.
        var time = new ManualTimeProvider();
        await using var first = await StartAsync(Forever, time);
        using var end = new EndOfTime(time);
        await using var second = await StartAsync(Forever);
        var options = new GlueClientOptions { DefaultDeadline = Forever, HeartbeatInterval = Bound, ConnectTimeout = Bound };
        faults.Attach(options);
        await using var client = new GlueClient(options);
        var counter = client.CreateProxy<ISharedCounter>(new InOrder(first.Address, second.Address));
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        var link = Assert.Single(client.Links);
        using var counts = new MeasuredCounts(first.Services.GetRequiredService<IMeterFactory>());
        faults.Hold(CallsStream);
        var call = counter.NextAsync();
        var stopping = first.StopAsync();
        await Eventually.TrueAsync(() => !link.IsOpen, Bound);
        faults.Release(CallsStream);
        Assert.Equal(1, await call.WaitAsync(Bound));
        var refused = $"cluster.glue.server.calls.refused rpc.system.name=glue rpc.method={typeof(ISharedCounter)}/NextAsync";
        Assert.Equal((1, 0), (counts[$"{refused} error.type=Draining"], counts["cluster.glue.server.calls.started"]));
        await stopping.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-108")]
    public async Task Dispose_InTheMiddleOfACall_InItsFailure_TwiceAndAtOnce_IsSafe()
    {
        await using var host = await StartAsync(TimeSpan.FromMilliseconds(100));
        var seen = host.Services.GetRequiredService<Observations>();
        for (var round = 0; round < 10; round++)
        {
            var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Forever });
            var timing = client.CreateProxy<ITiming>(host.Address);
            var call = timing.WaitForeverAsync();
            Assert.True(await seen.Started.WaitAsync(Bound));
            var inItsFailure = DisposeAfterAsync(call, client);
            await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () => await client.DisposeAsync())))
                .WaitAsync(Bound);
            await inItsFailure.WaitAsync(Bound);
            Assert.Equal(
                GlueErrorCode.ClientDisposed,
                (await Assert.ThrowsAsync<GlueException>(() => timing.WaitForeverAsync())).Code);
        }

        seen.End.SetResult();
    }

    private static async Task DisposeAfterAsync(Task call, GlueClient client)
    {
        var failure = await Assert.ThrowsAsync<GlueException>(() => call);
        Assert.Equal(GlueErrorCode.ClientDisposed, failure.Code);
        await client.DisposeAsync();
    }

    /// <summary>Longer than a peer that is done with its link is given to leave it, and less than one may be
    /// silent.</summary>
    private static async Task LetTimePassAsync(ManualTimeProvider time, IShapes shapes)
    {
        for (var i = 0; i < 10; i++)
        {
            await WaitUntilRefusedAsync(shapes);
            time.Advance(TimeSpan.FromMilliseconds(300));
        }
    }

    private static async Task WaitUntilRefusedAsync(IShapes shapes) =>
        await Eventually.TrueAsync(
            async () =>
            {
                try
                {
                    await shapes.TwiceAsync(1).WaitAsync(Bound);
                    return false;
                }
                catch (GlueException refused)
                {
                    Assert.Equal(GlueDelivery.NotDelivered, refused.Delivery);
                    return true;
                }
            },
            Bound);

    private static async IAsyncEnumerable<int> HeldAsync(Task goOn)
    {
        yield return 1;
        await goOn;
        // More than a window.
        for (var i = 2; i <= HeldItems; i++)
            yield return i;
    }

    private static Task<GlueHost> StartAsync(TimeSpan drainTimeout, TimeProvider? time = null) =>
        GlueHost.StartAsync(options =>
        {
            options.DrainTimeout = drainTimeout;
            options.TimeProvider = time ?? TimeProvider.System;
        }, glue =>
        {
            glue.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Forever);
            GlueHost.AddSemanticServices(glue);
        });

    /// <summary>Ends a server whose clock stands still with its drain time, when a test has failed.</summary>
    private sealed class EndOfTime(ManualTimeProvider time) : IDisposable
    {
        public void Dispose() => time.Advance(Forever);
    }
}
