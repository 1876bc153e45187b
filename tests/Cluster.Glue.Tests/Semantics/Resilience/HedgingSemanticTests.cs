using Cluster.Glue.Resilience;

namespace Cluster.Glue.Tests.Semantics.Resilience;

/// <summary>Further calls where the first one is slow. Acceptance case 92.</summary>
public abstract class HedgingSemanticTests(SemanticBinding first, SemanticBinding second)
    : ResilienceSemanticTests(first, second)
{
    private const int OthersCount = 5;

    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(100);

    private readonly TaskCompletionSource<CancellationToken> _cancelled = new();

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task SecondEndpoint_ThatAnswersFirst_IsCounted_AndTheFirstIsCancelled()
    {
        First.Work = HangAsync;
        Second.Work = (number, _) => Task.FromResult(number + 1);
        var call = ProxyOfBoth(Hedged).GetAsync(7);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => call.IsCompleted);
        Assert.Equal(8, await call.WaitAsync(Bound));
        Assert.True((await _cancelled.Task.WaitAsync(Bound)).IsCancellationRequested);
        Assert.Equal((1, 1), (First.Arrived, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task FirstEndpoint_ThatAnswersAfterAll_IsCounted_AndTheSecondIsCancelled()
    {
        First.Work = WaitAtGate;
        Second.Work = HangAsync;
        var call = ProxyOfBoth(Hedged).GetAsync(7);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => Second.Arrived == 1);
        Gate.SetResult(1);
        Assert.Equal(1, await call.WaitAsync(Bound));
        Assert.True((await _cancelled.Task.WaitAsync(Bound)).IsCancellationRequested);
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task OneEndpoint_IsCalledTwice()
    {
        First.Work = (number, token) => First.Ran == 1 ? HangAsync(number, token) : Task.FromResult(number);
        var call = Proxy(Hedged).GetAsync(7);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => call.IsCompleted);
        Assert.Equal((7, 2), (await call.WaitAsync(Bound), First.Arrived));
        await _cancelled.Task.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task MethodThatIsNotIdempotent_IsNotHedged()
    {
        First.Work = WaitAtGate;
        Second.Work = (number, _) => Task.FromResult(number);
        var call = ProxyOfBoth(Hedged).PutAsync(7);
        await ArrivedAsync(First, 1);
        await SeeOthersHedgedAsync();
        Assert.False(call.IsCompleted);
        Assert.Equal(OthersCount, Second.Arrived);
        Gate.SetResult(1);
        Assert.Equal(1, await call.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task FirstEndpoint_ThatFails_IsNotWaitedFor()
    {
        First.Refusal = _ => MayHaveRun;
        Assert.Equal(7, await ProxyOfBoth(Hedged).GetAsync(7).WaitAsync(Bound));
        Assert.Equal((1, 1), (First.Arrived, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task Budget_BoundsHedgesToo()
    {
        await using var client = Connect(options => options.RetryBudgetRatio = 0);
        First.Work = WaitAtGate;
        var call = client.CreateProxy<IScripted>(First.Address, With(Hedged)).GetAsync(7);
        await ArrivedAsync(First, 1);
        await SeeOthersHedgedAsync();
        Assert.Equal(1 + OthersCount, First.Arrived);
        Gate.SetResult(1);
        Assert.Equal(1, await call.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task CallerThatCancels_CancelsAll()
    {
        First.Work = HangAsync;
        Second.Work = (_, token) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token)
            .ContinueWith(_ => 0, TaskScheduler.Default);
        using var source = new CancellationTokenSource();
        var call = ProxyOfBoth(Hedged).GetAsync(7, source.Token);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => Second.Arrived == 1);
        await source.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
        Assert.Equal(source.Token, cancelled.CancellationToken);
        await _cancelled.Task.WaitAsync(Bound);
    }

    /// <summary>Calls that are hedged, one after the other: time enough for one that was made before them.</summary>
    private async Task SeeOthersHedgedAsync()
    {
        for (var i = 0; i < OthersCount; i++)
        {
            var before = First.Arrived;
            var other = ProxyOfBoth(Hedged).GetAsync(i);
            await ArrivedAsync(First, before + 1);
            await PassTimeAsync(Delay, () => other.IsCompleted);
            Assert.Equal(i, await other);
        }
    }

    private static void Hedged(GlueResilienceOptions options) =>
        options.Hedging = new GlueHedgingOptions { Delay = Delay };

    private async Task<int> HangAsync(int number, CancellationToken cancellationToken)
    {
        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
            return number;
        }
        finally
        {
            _cancelled.TrySetResult(cancellationToken);
        }
    }
}
