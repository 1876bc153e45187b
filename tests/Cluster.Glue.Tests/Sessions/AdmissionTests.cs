using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.Serving;
using Cluster.Glue.Sessions;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Substreams;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>What is let in and what waits: full queues, late threads, many callers, many clients.</summary>
public sealed class AdmissionTests : DisturbedLinkTests
{
    [Fact]
    public async Task CallThatWaitedTooLongForAThread_IsRefusedBeforeItsArgumentsAreRead()
    {
        var time = new ManualTimeProvider();
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.TimeProvider = time;
            options.MaxQueueDelay = TimeSpan.FromSeconds(1);
        });
        var server = host.Services.GetRequiredService<ServerRuntime>();
        var method = server.Host.Catalog.Contracts.SelectMany(contract => contract.Methods)
            .First(one => one.Contract.Method.Name == nameof(IShapes.TwiceAsync));
        Assert.Equal(GlueErrorCode.ArgumentsNotReadable, Run(TimeSpan.FromSeconds(1)).Code);
        var late = Run(TimeSpan.FromSeconds(1.001));
        Assert.Equal(
            (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded),
            (late.Kind, late.Delivery, late.Code));
        Assert.Contains("MaxQueueDelay", late.Message, StringComparison.Ordinal);
        Assert.Contains("TwiceAsync", late.Message, StringComparison.Ordinal);

        GlueException Run(TimeSpan delay)
        {
            var sink = new FaultSink();
            var call = server.Host.Calls.Rent();
            call.Begin(sink, method, 1, isOneWay: false, time.GetTimestamp() + Bound.Ticks);
            call.SetArguments([0xFF]);
            time.Advance(delay);
            call.Execute();
            return sink.Fault!;
        }
    }

    [Fact]
    [Trait("Case", "glue-41")]
    public async Task OneWay_WithAFullQueue_WaitsUntilItsDeadline_ThenFailsTyped()
    {
        await using var client = Connect(options => options.MaxSendQueueBytes = 64 * 1024);
        var timing = client.CreateProxy<ITiming>(Host.Address);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        var sent = Fill(timing);
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(50)))
        {
            var full = await Assert.ThrowsAsync<GlueException>(() => timing.NoteAsync("late"));
            Assert.Equal(
                (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.SendQueueFull),
                (full.Kind, full.Delivery, full.Code));
        }

        var waiting = timing.NoteAsync("in time");
        Faults.Release(CallsStream);
        await waiting.WaitAsync(Bound);
        await Eventually.TrueAsync(() => Seen.Notes.Count == sent + 1, Bound);
        Assert.DoesNotContain("late", Seen.Notes);
    }

    [Fact]
    [Trait("Case", "glue-33")]
    public async Task Cancel_WhileTheQueueIsFull_OrTheBatchIsWritten_ReleasesTheCallerAndLeavesNothingRunning()
    {
        await using var client = Connect(options => options.MaxSendQueueBytes = 64 * 1024);
        var timing = client.CreateProxy<ITiming>(Host.Address);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        Faults.Hold(CallsStream);
        using var stop = new CancellationTokenSource();
        var written = timing.WaitForCancellationAsync(stop.Token);
        Fill(timing);
        var waiting = timing.WaitForCancellationAsync(stop.Token);
        Assert.False(waiting.IsCompleted);
        await stop.CancelAsync();
        foreach (var call in (Task<bool>[])[written, waiting])
        {
            var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
            Assert.Equal(stop.Token, cancelled.CancellationToken);
        }

        Faults.Release(CallsStream);
        await timing.NotesAsync().WaitAsync(Bound);
        // The one that was being written is cancelled behind it; the other one is not sent.
        if (await Seen.Started.WaitAsync(0))
            Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
        Assert.Equal(0, Seen.Started.CurrentCount);
    }

    [Fact]
    [Trait("Case", "glue-65")]
    public Task ManyConcurrentCalls_AreAllAnsweredOnce() => CallAtOnceAsync(5_000, atOnce: 1_000);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Case", "glue-65")]
    public Task AMillionConcurrentCalls_AreAllAnsweredOnce() => CallAtOnceAsync(1_000_000, GlueLimits.MaxCallsInFlight);

    [Fact]
    [Trait("Case", "glue-74")]
    public Task ManyClientsAtOnce_AreAllServed() => ConnectAtOnceAsync(150);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Case", "glue-74")]
    public Task AThousandClientsAtOnce_AreAllServed() => ConnectAtOnceAsync(1000);

    [Fact]
    [Trait("Case", "glue-68")]
    public async Task Call_WhileEveryClockStandsStill_IsAnswered()
    {
        var time = new ManualTimeProvider();
        await using var host = await GlueHost.StartAsync(options => options.TimeProvider = time);
        await using var client = Connect(options => options.TimeProvider = time);
        var shapes = client.CreateProxy<IShapes>(host.Address);
        for (var i = 0; i < 100; i++)
            Assert.Equal(2 * i, await shapes.TwiceAsync(i).WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-101")]
    public async Task ConnectionsThatDoNotShakeHands_AreBounded_AndClientsComeAgain()
    {
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.MaxUnauthenticatedConnections = 2;
            options.HandshakeTimeout = 5 * Bound;
        });
        using var first = new SilentStream(host.Address);
        using var second = new SilentStream(host.Address);
        await first.OpenAsync().WaitAsync(Bound);
        await second.OpenAsync().WaitAsync(Bound);
        using var raw = new RawLink(host.Address);
        (var status, var message) = await raw.SendAsync(RawLink.HelloFrame());
        Assert.Equal("8", status);
        Assert.Contains("MaxUnauthenticatedConnections", message, StringComparison.Ordinal);
        await using var client = Connect();
        var call = client.CreateProxy<IShapes>(host.Address).TwiceAsync(1);
        await Eventually.TrueAsync(() => Faults.StreamCount > 2, Bound);
        Assert.False(call.IsCompleted);
        first.Dispose();
        second.Dispose();
        Assert.Equal(2, await call.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-101")]
    public async Task ConnectionThatDoesNotShakeHands_IsEndedInTime()
    {
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.MaxUnauthenticatedConnections = 1;
            options.HandshakeTimeout = TimeSpan.FromMilliseconds(100);
        });
        using var silent = new SilentStream(host.Address);
        await silent.OpenAsync().WaitAsync(Bound);
        await using var client = Connect();
        Assert.Equal(2, await client.CreateProxy<IShapes>(host.Address).TwiceAsync(1).WaitAsync(Bound));
    }

    /// <summary>Holds the substream of calls back and queues one-way calls until no more fit.</summary>
    /// <summary>Sends until one has to wait for room; that one is counted, too.</summary>
    private int Fill(ITiming timing)
    {
        Faults.Hold(CallsStream);
        string text = new('x', 8000);
        var sent = 1;
        while (timing.NoteAsync(text).IsCompletedSuccessfully)
            sent++;
        Assert.InRange(sent, 8, 13);
        return sent;
    }

    private async Task CallAtOnceAsync(int count, int atOnce)
    {
        await using var client = Connect(options =>
        {
            options.DefaultDeadline = 10 * Bound;
            options.MaxCallsInFlight = atOnce;
        });
        var counter = client.CreateProxy<ISharedCounter>(Host.Address);
        var results = await Task.WhenAll(Enumerable.Range(0, count).Select(_ => counter.NextAsync()))
            .WaitAsync(10 * Bound);
        Array.Sort(results);
        Assert.Equal(Enumerable.Range(1, count), results);
    }

    private async Task ConnectAtOnceAsync(int count)
    {
        var clients = Enumerable.Range(0, count)
            .Select(_ => new GlueClient(new GlueClientOptions
            {
                DefaultDeadline = Bound,
                ConnectTimeout = Bound,
                ResumeWindow = Bound,
            }))
            .ToArray();
        try
        {
            var results = await Task.WhenAll(
                clients.Select((client, i) => client.CreateProxy<IShapes>(Host.Address).TwiceAsync(i)));
            Assert.Equal(Enumerable.Range(0, count).Select(i => 2 * i), results);
        }
        finally
        {
            await Task.WhenAll(clients.Select(client => client.DisposeAsync().AsTask()));
        }
    }

    /// <summary>Keeps the fault of one call.</summary>
    private sealed class FaultSink : IReplySink
    {
        public Glue.References.ReferenceTable? References => null;

        public GlueException? Fault { get; private set; }

        public bool IsPeer => false;

        public Glue.Authorization.CallerIdentity Caller => Glue.Authorization.CallerIdentity.Nobody;

        public NodeId Peer => default;

        public GlueBinding Binding => GlueBinding.Link;

        public int AnswerBytesMax => 1024 * 1024;

        public void Answer(ulong callId, EnvelopeKind kind, WireBuffer body, ReadOnlyMemory<byte> headers)
        {
            Assert.Equal(EnvelopeKind.Fault, kind);
            var reader = new WireReader(body.WrittenSpan);
            Assert.Equal(FaultKind.Glue, (FaultKind)reader.ReadByte("fault kind"));
            Fault = new GlueException(
                (GlueErrorKind)reader.ReadVarint("kind"),
                (GlueDelivery)reader.ReadVarint("delivery"),
                (GlueErrorCode)reader.ReadVarint("code"),
                reader.ReadText(4096, "message"));
        }

        public void Ended(IncomingCall call)
        {
        }
    }
}
