namespace Cluster.Glue.Tests.Semantics.Resilience;

/// <summary>Further calls where the first one is slow. Acceptance case 92.</summary>
public abstract class HedgingSemanticTests(SemanticBinding first, SemanticBinding second)
    : ResilienceSemanticTests(first, second)
{
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(100);

    private readonly TaskCompletionSource<CancellationToken> _cancelled = new();

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task SecondEndpoint_ThatAnswersFirst_IsCounted_AndTheFirstIsCancelled()
    {
        First.Work = HangAsync;
        Second.Work = (number, _) => Task.FromResult(number + 1);
        Task<int> call = ProxyOfBoth(Hedged).GetAsync(7);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => call.IsCompleted);
        Assert.Equal(8, await call);
        Assert.True((await _cancelled.Task.WaitAsync(Bound)).IsCancellationRequested);
        Assert.Equal((1, 1), (First.Arrived, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task FirstEndpoint_ThatAnswersAfterAll_IsCounted_AndTheSecondIsCancelled()
    {
        First.Work = WaitAtGate;
        Second.Work = HangAsync;
        Task<int> call = ProxyOfBoth(Hedged).GetAsync(7);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => Second.Arrived == 1);
        Gate.SetResult(1);
        Assert.Equal(1, await call);
        Assert.True((await _cancelled.Task.WaitAsync(Bound)).IsCancellationRequested);
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task OneEndpoint_IsCalledTwice()
    {
        First.Work = (number, token) => First.Ran == 1 ? HangAsync(number, token) : Task.FromResult(number);
        Task<int> call = Proxy(Hedged).GetAsync(7);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => call.IsCompleted);
        Assert.Equal((7, 2), (await call, First.Arrived));
        await _cancelled.Task.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task MethodThatIsNotIdempotent_IsNotHedged()
    {
        First.Work = WaitAtGate;
        Task<int> call = ProxyOfBoth(Hedged).PutAsync(7);
        await ArrivedAsync(First, 1);
        Clock.Advance(50 * Delay);
        Gate.SetResult(1);
        Assert.Equal((1, 0), (await call, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task FirstEndpoint_ThatFails_IsNotWaitedFor()
    {
        First.Refusal = _ => MayHaveRun;
        Assert.Equal(7, await ProxyOfBoth(Hedged).GetAsync(7));
        Assert.Equal((1, 1), (First.Arrived, Second.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task Budget_BoundsHedgesToo()
    {
        await using GlueClient client = Connect(options => options.RetryBudgetRatio = 0);
        First.Work = WaitAtGate;
        Task<int> call = client.CreateProxy<IScripted>(First.Address, With(Hedged)).GetAsync(7);
        await ArrivedAsync(First, 1);
        Clock.Advance(50 * Delay);
        Gate.SetResult(1);
        Assert.Equal((1, 1), (await call, First.Arrived));
    }

    [Fact]
    [Trait("Case", "glue-92")]
    public async Task CallerThatCancels_CancelsAll()
    {
        First.Work = HangAsync;
        Second.Work = (_, token) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token)
            .ContinueWith(_ => 0, TaskScheduler.Default);
        using var source = new CancellationTokenSource();
        Task<int> call = ProxyOfBoth(Hedged).GetAsync(7, source.Token);
        await ArrivedAsync(First, 1);
        await PassTimeAsync(Delay, () => Second.Arrived == 1);
        await source.CancelAsync();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Assert.Equal(source.Token, cancelled.CancellationToken);
        await _cancelled.Task.WaitAsync(Bound);
    }

    private static void Hedged(GlueResilienceOptions options)
        => options.Hedging = new GlueHedgingOptions { Delay = Delay };

    private async Task<int> HangAsync(int number, CancellationToken token)
    {
        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, token);
            return number;
        }
        finally
        {
            _cancelled.TrySetResult(token);
        }
    }
}
