using Cluster.Glue.Resilience;

namespace Cluster.Glue.Tests.Semantics.Resilience;

/// <summary>Endpoints that are not called while they fail. Acceptance case 93.</summary>
public abstract class BreakerSemanticTests(SemanticBinding first, SemanticBinding second)
    : ResilienceSemanticTests(first, second)
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(5);

    [Fact]
    [Trait("Case", "glue-93")]
    public async Task Breaker_LetsOneCallThrough_WhichCloses()
    {
        var proxy = await OpenAsync();
        var probe = await BeginProbeAsync(proxy);
        await CheckOpenAsync(proxy);
        await CheckOpenAsync(proxy);
        Assert.Equal(5, First.Arrived);
        Gate.SetResult(7);
        Assert.Equal((7, 7, 6), (await probe, await proxy.PutAsync(1), First.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-93")]
    public async Task Breaker_WhoseOneCallFails_StaysOpen()
    {
        var proxy = await OpenAsync();
        Clock.Advance(Pause);
        var failure = await Assert.ThrowsAsync<GlueException>(() => proxy.PutAsync(1));
        Assert.Equal((GlueErrorCode.ServerOverloaded, 5), (failure.Code, First.Arrived));
        await CheckOpenAsync(proxy);
        Clock.Advance(Pause - TimeSpan.FromTicks(1));
        await CheckOpenAsync(proxy);
        Assert.Equal(5, First.Arrived);
    }

    [Fact]
    [Trait("Case", "glue-93")]
    public async Task Breaker_WhoseOneCallIsCancelled_StaysOpen()
    {
        var proxy = await OpenAsync();
        using var source = new CancellationTokenSource();
        var probe = await BeginProbeAsync(proxy, source.Token);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => probe);
        await CheckOpenAsync(proxy);
        Gate.SetResult(7);
    }

    [Fact]
    [Trait("Case", "glue-93")]
    public async Task Breaker_IsOfOneEndpoint_AndOthersAreCalledInstead()
    {
        First.Refusal = _ => NotDelivered;
        var proxy = ProxyOfBoth(WithBreaker);
        for (var i = 0; i < 10; i++)
            Assert.Equal(i, await proxy.PutAsync(i));
        Assert.Equal((4, 10), (First.Arrived, Second.Arrived));
        First.Refusal = _ => null;
        Clock.Advance(Pause);
        Assert.Equal(7, await proxy.PutAsync(7));
        Assert.Equal((5, 10), (First.Arrived, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-93")]
    public async Task Options_AreCopied_WhenTheProxyIsMade()
    {
        var options = With(WithBreaker);
        var proxy = Client.CreateProxy<IScripted>(First.Address, options);
        options.Resilience!.Breaker!.MinCalls = 1000;
        First.Refusal = _ => NotDelivered;
        for (var i = 0; i < 4; i++)
            await Assert.ThrowsAsync<GlueException>(() => proxy.PutAsync(i));
        await CheckOpenAsync(proxy);
    }

    [Fact]
    [Trait("Case", "glue-93")]
    public async Task ExceptionsOfTheService_ShowThatItLives()
    {
        First.Work = (_, _) => throw new InvalidOperationException();
        var proxy = Proxy(WithBreaker);
        for (var i = 0; i < 10; i++)
            await Assert.ThrowsAsync<InvalidOperationException>(() => proxy.PutAsync(i));
        Assert.Equal(10, First.Arrived);
    }

    private static void WithBreaker(GlueResilienceOptions options)
    {
        options.Retry = null;
        options.Breaker = new GlueBreakerOptions { MinCalls = 4, Pause = Pause };
    }

    /// <summary>Gives a proxy whose breaker has opened after four calls.</summary>
    private async Task<IScripted> OpenAsync()
    {
        var proxy = Proxy(WithBreaker);
        First.Refusal = _ => NotDelivered;
        for (var i = 0; i < 4; i++)
            await Assert.ThrowsAsync<GlueException>(() => proxy.PutAsync(i));
        await CheckOpenAsync(proxy);
        Assert.Equal(4, First.Arrived);
        return proxy;
    }

    /// <summary>After the pause, makes the call that is let through, to a service that works and takes its
    /// time.</summary>
    private async Task<Task<int>> BeginProbeAsync(IScripted proxy, CancellationToken cancellationToken = default)
    {
        Clock.Advance(Pause);
        First.Refusal = _ => null;
        First.Work = WaitAtGate;
        var probe = proxy.PutAsync(1, cancellationToken);
        await ArrivedAsync(First, 5);
        return probe;
    }

    private static async Task CheckOpenAsync(IScripted proxy)
    {
        var open = await Assert.ThrowsAsync<GlueException>(() => proxy.PutAsync(1).WaitAsync(Bound));
        Assert.Equal(
            (GlueErrorCode.CircuitOpen, GlueDelivery.NotDelivered, GlueErrorKind.Unreachable),
            (open.Code, open.Delivery, open.Kind));
    }
}
