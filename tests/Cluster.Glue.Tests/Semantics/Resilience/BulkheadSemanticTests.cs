using Cluster.Glue.Resilience;

namespace Cluster.Glue.Tests.Semantics.Resilience;

/// <summary>Slow contracts that leave room for others. Acceptance case 94.</summary>
public abstract class BulkheadSemanticTests(SemanticBinding first, SemanticBinding second)
    : ResilienceSemanticTests(first, second)
{
    [Fact]
    [Trait("Case", "glue-94")]
    public async Task SlowContract_DoesNotExhaustOthers()
    {
        await using var client = Connect(options => options.MaxCallsInFlight = 8);
        First.Work = WaitAtGate;
        var slow = client.CreateProxy<IScripted>(
            First.Address, With(p => p.Bulkhead = new GlueBulkheadOptions { MaxCalls = 4 }));
        Task<int>[] calls = [.. Enumerable.Range(0, 20).Select(number => slow.PutAsync(number))];
        await ArrivedAsync(First, 4);
        foreach (var refused in calls.Skip(4))
        {
            var full = await Assert.ThrowsAsync<GlueException>(() => refused.WaitAsync(Bound));
            Assert.Equal(
                (GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.BulkheadFull),
                (full.Kind, full.Delivery, full.Code));
        }

        Assert.Equal(42, await client.CreateProxy<IOther>(First.Address).AskAsync().WaitAsync(Bound));
        Assert.Equal(4, First.Arrived);
        Gate.SetResult(7);
        var answers = await Task.WhenAll(calls.Take(4)).WaitAsync(Bound);
        Assert.Equal([7, 7, 7, 7], answers);
        Assert.Equal(7, await slow.PutAsync(1).WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-94")]
    public async Task CallsThatWait_RunWhenThereIsRoom_OrFailAtTheirDeadline()
    {
        First.Work = WaitAtGate;
        var slow = Proxy(p => p.Bulkhead = new GlueBulkheadOptions { MaxCalls = 1, MaxWaiting = 2 });
        var running = slow.PutAsync(1);
        await ArrivedAsync(First, 1);
        Task<int> late;
        using (GlueCall.WithDeadline(TimeSpan.FromSeconds(1)))
            late = slow.PutAsync(2);
        var waiting = slow.PutAsync(3);
        await Assert.ThrowsAsync<GlueException>(() => slow.PutAsync(4).WaitAsync(Bound));
        Clock.Advance(TimeSpan.FromSeconds(2));
        var full = await Assert.ThrowsAsync<GlueException>(() => late.WaitAsync(Bound));
        Assert.Equal((GlueErrorCode.BulkheadFull, 1), (full.Code, First.Arrived));
        Gate.SetResult(7);
        Assert.Equal((7, 7, 2), (await running.WaitAsync(Bound), await waiting.WaitAsync(Bound), First.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-94")]
    public async Task CallerThatCancels_WaitsNoLonger()
    {
        First.Work = WaitAtGate;
        var slow = Proxy(p => p.Bulkhead = new GlueBulkheadOptions { MaxCalls = 1, MaxWaiting = 1 });
        var running = slow.PutAsync(1);
        using var source = new CancellationTokenSource();
        var waiting = slow.PutAsync(2, source.Token);
        await source.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(Bound));
        Assert.Equal(source.Token, cancelled.CancellationToken);
        Gate.SetResult(7);
        Assert.Equal((7, 7), (await running.WaitAsync(Bound), await slow.PutAsync(3).WaitAsync(Bound)));
    }
}
