using Cluster.Glue.Filters;
using Cluster.Glue.Resilience;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics.Resilience;

/// <summary>What is repeated, how often and where. Acceptance case 91.</summary>
public abstract class RetrySemanticTests(SemanticBinding first, SemanticBinding second)
    : ResilienceSemanticTests(first, second)
{
    [Fact]
    [Trait("Case", "glue-91")]
    public async Task CallThatWasNotDelivered_IsRepeated_WhateverItsMethod()
    {
        First.Refusal = attempt => attempt % 3 == 0 ? null : NotDelivered;
        Assert.Equal(7, await Proxy().PutAsync(7));
        Assert.Equal((3, 1), (First.Arrived, First.Ran));
        Assert.Equal(8, Proxy().Find(8));
        Assert.Equal((6, 2), (First.Arrived, First.Ran));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task CallThatMayHaveRun_IsRepeated_OnlyIfItsMethodIsIdempotent()
    {
        First.Refusal = attempt => attempt % 2 == 0 ? null : MayHaveRun;
        var unknown = await Assert.ThrowsAsync<GlueException>(() => Proxy().PutAsync(7));
        Assert.Equal((GlueDelivery.Unknown, 1), (unknown.Delivery, First.Arrived));
        First.Refusal = attempt => attempt % 2 == 1 ? null : MayHaveRun;
        Assert.Equal(7, await Proxy().GetAsync(7));
        Assert.Equal(3, First.Arrived);
        First.Refusal = attempt => attempt % 2 == 1 ? null : MayHaveRun;
        Assert.Equal(3, await Proxy(p => p.IsIdempotent = method => method.Name == "FetchAsync").FetchAsync([1, 2]));
        Assert.Equal(5, First.Arrived);
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task Retries_AreBounded_AndTheLastFailureIsTold()
    {
        First.Refusal = attempt => attempt == 3 ? MayHaveRun : NotDelivered;
        var last = await Assert.ThrowsAsync<GlueException>(() => Proxy().GetAsync(7));
        Assert.Equal((GlueErrorCode.LinkLost, 3), (last.Code, First.Arrived));
        await Assert.ThrowsAsync<GlueException>(() => Proxy(p => p.Retry!.MaxRetryAttempts = 4).GetAsync(7));
        Assert.Equal(8, First.Arrived);
        await Assert.ThrowsAsync<GlueException>(() => Proxy(p => p.Retry = null).GetAsync(7));
        Assert.Equal(9, First.Arrived);
        First.Refusal = _ => new GlueException(
            GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.SignatureMismatch, "for ever");
        await Assert.ThrowsAsync<GlueException>(() => Proxy().GetAsync(7));
        Assert.Equal(10, First.Arrived);
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task ExceptionOfTheService_IsItsAnswer_UnlessTheOptionsSayOtherwise()
    {
        First.Work = (number, _) => First.Ran % 2 == 1
            ? throw new InvalidOperationException("first")
            : Task.FromResult(number);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Proxy().GetAsync(7));
        First.Work = (number, _) => First.Ran % 2 == 0
            ? throw new InvalidOperationException("second")
            : Task.FromResult(number);
        var proxy = Proxy(p => p.Retry!.HandlesException = e => e is InvalidOperationException);
        Assert.Equal(7, await proxy.GetAsync(7));
        await Assert.ThrowsAsync<InvalidOperationException>(() => proxy.PutAsync(7));
        Assert.Equal(4, First.Ran);
    }

    [Theory]
    [InlineData(0.1, 29)]
    [InlineData(0.5, 100)]
    [InlineData(0, 0)]
    [Trait("Case", "glue-91")]
    public async Task Budget_BoundsRetries_OfEachPeer(double ratio, int retries)
    {
        const int Calls = 200;
        await using var client = Connect(options => options.RetryBudgetRatio = ratio);
        First.Refusal = _ => NotDelivered;
        Second.Refusal = attempt => attempt % 3 == 0 ? null : NotDelivered;
        var proxy = client.CreateProxy<IScripted>(First.Address, With(p => p.Breaker = null));
        for (var i = 0; i < Calls; i++)
        {
            var failure = await Assert.ThrowsAsync<GlueException>(() => proxy.PutAsync(i));
            Assert.Equal(GlueErrorCode.ServerOverloaded, failure.Code);
        }

        // Ten in advance, and then a part of what was called; the very first call has earned nothing more.
        Assert.InRange(First.Arrived - Calls, retries, retries + (ratio > 0.1 ? 10 : 0));
        var other = client.CreateProxy<IScripted>(Second.Address, With());
        if (ratio > 0)
            Assert.Equal(7, await other.PutAsync(7));
        else
            await Assert.ThrowsAsync<GlueException>(() => other.PutAsync(7));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task CallThatWasNotDelivered_GoesToAnotherEndpoint_AtOnce()
    {
        First.Refusal = _ => NotDelivered;
        // The clock stands still.
        Assert.Equal(7, await ProxyOfBoth(p => p.Retry!.Delay = Bound).PutAsync(7));
        Assert.Equal((1, 1), (First.Arrived, Second.Arrived));
        Assert.Equal(7, await ProxyOfBoth(p => p.Retry = null).PutAsync(7));
        Assert.Equal((2, 2), (First.Arrived, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task Pause_ComesBeforeARetryAtTheSameEndpoint_AndEndsWithTheDeadline()
    {
        First.Refusal = attempt => attempt == 2 ? null : NotDelivered;
        var pause = TimeSpan.FromSeconds(4);
        var call = Proxy(WithPause).PutAsync(7);
        await ArrivedAsync(First, 1);
        await Eventually.TrueAsync(() => Clock.UntilNextTimer is not null, Bound);
        Clock.Advance(pause / 4);
        Assert.Equal(1, First.Arrived);
        await PassTimeAsync(pause / 8, () => call.IsCompleted);
        Assert.Equal((7, 2), (await call, First.Arrived));

        var selector = new InOrder(First.Address);
        using (GlueCall.WithDeadline(pause / 4))
            call = Client.CreateProxy<IScripted>(selector, With(WithPause)).PutAsync(7);
        // Once for the attempt, and once when its failure has arrived.
        await Eventually.TrueAsync(() => selector.Asked == 2, Bound);
        var before = Clock.Elapsed;
        await PassTimeAsync(pause / 16, () => call.IsCompleted);
        var last = await Assert.ThrowsAsync<GlueException>(() => call);
        Assert.Equal((GlueErrorCode.ServerOverloaded, 3), (last.Code, First.Arrived));
        Assert.True(Clock.Elapsed - before < pause, "The pause has outlasted the deadline.");

        void WithPause(GlueResilienceOptions options) => (options.Retry!.Delay, options.Retry.MaxDelay) = (pause, pause);
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task Deadline_HoldsForAllAttemptsTogether()
    {
        var left = new List<TimeSpan>();
        First.Refusal = attempt =>
        {
            left.Add(GlueCall.Current!.Remaining);
            Clock.Advance(TimeSpan.FromSeconds(1));
            return attempt == 3 ? null : NotDelivered;
        };
        Assert.Equal(7, await Proxy().PutAsync(7));
        var whole = DefaultDeadline.TotalSeconds;
        Assert.Equal([whole, whole - 1, whole - 2], left.Select(time => Math.Round(time.TotalSeconds)));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task Arguments_AreThoseOfTheBeginning_InAllAttempts()
    {
        First.Refusal = attempt => attempt == 1 ? NotDelivered : null;
        int[] numbers = [1, 2];
        var call = Proxy(p => p.Retry!.Delay = TimeSpan.FromSeconds(1)).FetchAsync(numbers);
        numbers[0] = 100;
        await PassTimeAsync(TimeSpan.FromMilliseconds(100), () => call.IsCompleted);
        // Objects that are shared are not copied.
        Assert.Equal(Serializes ? 3 : 102, await call);
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task StreamAsArgument_IsReadOnce()
    {
        var numbers = new[] { 1, 2 }.ToAsyncEnumerable();
        Assert.Equal(3, await Proxy().SumAsync(numbers));
        First.Refusal = attempt => attempt == 2 ? MayHaveRun : null;
        if (Serializes)
            await Assert.ThrowsAsync<GlueException>(() => Proxy().SumAsync(numbers));
        else
            Assert.Equal(3, await Proxy().SumAsync(numbers));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task CallerThatCancels_EndsThePause()
    {
        First.Refusal = _ => NotDelivered;
        using var source = new CancellationTokenSource();
        var call = Proxy(p => p.Retry!.Delay = TimeSpan.FromSeconds(1)).PutAsync(7, source.Token);
        await ArrivedAsync(First, 1);
        await source.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Assert.Equal((source.Token, 1), (cancelled.CancellationToken, First.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task Filters_StandAroundTheCall_NotAroundItsAttempts()
    {
        First.Refusal = attempt => attempt == 3 ? null : NotDelivered;
        var filter = new CountingFilter();
        var options = With();
        options.Filters.Add(filter);
        Assert.Equal(7, await Client.CreateProxy<IScripted>(First.Address, options).PutAsync(7));
        Assert.Equal((1, 3), (filter.Count, First.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public void Options_ThatAreWrong_AreAllNamed()
    {
        var wrong = Assert.Throws<ArgumentException>(() => Proxy(p =>
        {
            p.Retry!.MaxRetryAttempts = 0;
            p.Retry.Delay = TimeSpan.FromHours(1);
            p.Hedging = new GlueHedgingOptions { MaxHedges = 6, Delay = TimeSpan.Zero };
            p.Breaker!.FailureRatio = double.NaN;
            p.Breaker.MinCalls = 1;
            p.Breaker.Window = p.Breaker.Pause = TimeSpan.Zero;
            p.Bulkhead = new GlueBulkheadOptions { MaxCalls = 0, MaxWaiting = -1 };
        }));
        Assert.Equal(10, wrong.Message.Count(letter => letter == ';'));
        Assert.Throws<ArgumentException>(() => Connect(options => options.RetryBudgetRatio = -0.1));
    }

    private sealed class CountingFilter : IGlueFilter
    {
        public int Count { get; private set; }

        public ValueTask InvokeAsync(GlueCallContext context, Func<GlueCallContext, ValueTask> proceed)
        {
            Count++;
            return proceed(context);
        }
    }
}
