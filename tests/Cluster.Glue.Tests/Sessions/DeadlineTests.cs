using Cluster.Glue.Filters;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Semantics.OneWays;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Where a deadline may pass, and clocks that do not agree. Each side has a clock of its own.</summary>
[WithCanaryArrays]
public sealed class DeadlineTests : DisturbedLinkTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(200);

    // A link looks for calls whose time is over once per tick.
    private static readonly TimeSpan Late = Short + GlueLimits.TickInterval;

    private readonly ManualTimeProvider _here = new();
    private readonly ManualTimeProvider _there = new();
    private readonly DiaryPages _pages = new();

    public override Task DisposeAsync()
    {
        _pages.Open.TrySetResult();
        return base.DisposeAsync();
    }

    [Fact]
    [Trait("Case", "glue-35")]
    public async Task BeforeItIsSent_TheCallWasNotDelivered()
    {
        Faults.Hold(HelloStream);
        var call = AskInTimeAsync();
        _here.Advance(Late);
        await CheckAsync(call, GlueErrorCode.DeadlineBeforeSend, GlueDelivery.NotDelivered, "before the call was sent");
    }

    [Fact]
    [Trait("Case", "glue-35")]
    public async Task OnTheWire_NobodyKnows_AndTheCallIsCancelled()
    {
        var timing = Proxy<ITiming>();
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        Faults.Hold(CallsStream);
        Task<bool> call;
        using (GlueCall.WithDeadline(Short))
            call = timing.WaitForCancellationAsync(CancellationToken.None);
        _here.Advance(Late);
        await CheckAsync(call, GlueErrorCode.DeadlineAwaitingReply, GlueDelivery.Unknown, "did not answer");
        Faults.Release(CallsStream);
        Assert.Empty(await timing.NotesAsync().WaitAsync(Bound));
        // The cancellation comes behind the call, which may have begun.
        if (await Seen.Started.WaitAsync(0))
            Assert.True(await Seen.CancellationSeen.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-35")]
    public async Task InTheServersQueue_TheCallDoesNotRun()
    {
        var diary = Proxy<IDiary>();
        await diary.WriteAsync("first").WaitAsync(Bound);
        Assert.True(await _pages.Begun.WaitAsync(Bound));
        Task<string[]> call;
        using (GlueCall.WithDeadline(Short))
            call = diary.ReadAsync();
        // It has come when what was sent after it has been answered.
        Assert.Empty(await Proxy<IDiary>().ReadAsync().WaitAsync(Bound));
        _there.Advance(Late);
        _pages.Open.SetResult();
        await CheckAsync(call, GlueErrorCode.DeadlineOnServer, GlueDelivery.NotDelivered, "passed before");
    }

    [Fact]
    [Trait("Case", "glue-35")]
    public async Task InTheMethod_ItMayHaveDoneAnything()
    {
        Task<bool> call;
        using (GlueCall.WithDeadline(Short))
            call = Proxy<ITiming>().WaitForCancellationAsync(CancellationToken.None);
        Assert.True(await Seen.Started.WaitAsync(Bound));
        _there.Advance(Late);
        await CheckAsync(call, GlueErrorCode.DeadlineOnServer, GlueDelivery.Unknown, "passed while");
    }

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "glue-36")]
    public async Task Chain_OverClocksThatAreHoursApart_LosesWhatHasPassedOnly(GlueTransport transport)
    {
        var clocks = new List<ManualTimeProvider>();
        foreach (var hours in (int[])[0, 1, -1])
        {
            var clock = new ManualTimeProvider(new DateTimeOffset(2026, 1, 1, 12 + hours, 0, 0, TimeSpan.Zero));
            clock.Advance(TimeSpan.FromHours(1 + hours));
            clocks.Add(clock);
        }

        await using var last = await StartHostAsync(clocks[2]);
        await using var middle = await StartHostAsync(clocks[1]);
        await using var inner = Connect(clocks[1], transport);
        await using var outer = Connect(clocks[0], transport);
        var downstream = middle.Services.GetRequiredService<Downstream>();
        downstream.Proxy = inner.CreateProxy<ITiming>(last.Address);
        downstream.Before = () => clocks.ForEach(clock => clock.Advance(TimeSpan.FromSeconds(1)));
        var timing = outer.CreateProxy<ITiming>(middle.Address);
        for (var i = 0; i < 3; i++)
        {
            using (GlueCall.WithDeadline(TimeSpan.FromSeconds(5)))
            {
                await RemainingTimes.CheckAsync(
                    TimeSpan.FromSeconds(4),
                    () => timing.RemainingDownstreamAsync().WaitAsync(Bound),
                    transport == GlueTransport.Unary ? GlueBinding.Unary : GlueBinding.Link);
            }
        }
    }

    private static async Task CheckAsync(Task call, GlueErrorCode code, GlueDelivery delivery, string text)
    {
        var exception = await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound));
        Assert.Equal((GlueErrorKind.Deadline, code, delivery), (exception.Kind, exception.Code, exception.Delivery));
        Assert.Contains(text, exception.Message, StringComparison.Ordinal);
    }

    private async Task<string[]> AskInTimeAsync()
    {
        using (GlueCall.WithDeadline(Short))
            return await Proxy<ITiming>().NotesAsync();
    }

    private protected override IEnumerable<ManualTimeProvider> Clocks => [_here, _there];

    private protected override void ConfigureClient(GlueClientOptions options) => options.TimeProvider = _here;

    private protected override Task<GlueHost> StartHostAsync() => StartHostAsync(_there);

    private GlueClient Connect(TimeProvider clock, GlueTransport transport) => Connect(options =>
    {
        options.TimeProvider = clock;
        options.Transport = transport;
    });

    private Task<GlueHost> StartHostAsync(TimeProvider clock) => GlueHost.StartAsync(
        options => options.TimeProvider = clock,
        glue =>
        {
            GlueHost.AddSemanticServices(glue);
            glue.Services.AddSingleton(_pages);
            glue.AddService<IDiary, Diary>();
        });
}
