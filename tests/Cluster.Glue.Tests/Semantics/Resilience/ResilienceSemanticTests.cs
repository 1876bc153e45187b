using Cluster.Glue.Resilience;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics.Resilience;

/// <summary>Two scripted servers and a client, on a clock that stands still.</summary>
public abstract class ResilienceSemanticTests(SemanticBinding first, SemanticBinding second) : IAsyncLifetime
{
    protected static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    /// <summary>Far more than tests let pass while they wait for something.</summary>
    protected static readonly TimeSpan DefaultDeadline = TimeSpan.FromHours(1);

    protected static GlueException NotDelivered { get; } = new(
        GlueErrorKind.Overloaded, GlueDelivery.NotDelivered, GlueErrorCode.ServerOverloaded, "not delivered");

    protected static GlueException MayHaveRun { get; } = new(
        GlueErrorKind.Broken, GlueDelivery.Unknown, GlueErrorCode.LinkLost, "may have run");

    private protected ManualTimeProvider Clock { get; } = new();

    private protected ScriptedNode First { get; private set; } = null!;

    private protected ScriptedNode Second { get; private set; } = null!;

    private protected GlueClient Client { get; private set; } = null!;

    /// <summary>What <see cref="WaitAtGate"/> waits for, and returns.</summary>
    private protected TaskCompletionSource<int> Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Arguments and results are copies.</summary>
    protected bool Serializes => first.Serializes;

    public async Task InitializeAsync()
    {
        First = await ScriptedNode.StartAsync(first, Clock);
        Second = await ScriptedNode.StartAsync(second, Clock);
        Client = Connect(_ => { });
    }

    public async Task DisposeAsync()
    {
        Gate.TrySetResult(0);
        await Client.DisposeAsync();
        // Where a call was not cancelled as it should be, its server waits for it until its drain time is over.
        var stopped = Task.WhenAll(First.StopAsync(), Second.StopAsync());
        await PassTimeAsync(TimeSpan.FromSeconds(1), () => stopped.IsCompleted);
        await stopped;
    }

    private protected GlueClient Connect(Action<GlueClientOptions> configure)
    {
        var options = new GlueClientOptions { TimeProvider = Clock, DefaultDeadline = DefaultDeadline };
        first.Configure(options);
        configure(options);
        return new GlueClient(options);
    }

    private protected static GlueProxyOptions With(Action<GlueResilienceOptions>? configure = null)
    {
        var options = new GlueResilienceOptions();
        options.Retry!.Delay = TimeSpan.Zero;
        configure?.Invoke(options);
        return new GlueProxyOptions { Resilience = options };
    }

    /// <summary>A proxy for the first server.</summary>
    private protected IScripted Proxy(Action<GlueResilienceOptions>? configure = null) =>
        Client.CreateProxy<IScripted>(First.Address, With(configure));

    /// <summary>A proxy for both servers, that calls the first one first.</summary>
    private protected IScripted ProxyOfBoth(Action<GlueResilienceOptions>? configure = null) =>
        Client.CreateProxy<IScripted>(new InOrder(First.Address, Second.Address), With(configure));

    /// <summary>For <see cref="ScriptedNode.Work"/>.</summary>
    private protected Task<int> WaitAtGate(int number, CancellationToken cancellationToken) => Gate.Task;

    private protected Task ArrivedAsync(ScriptedNode node, int count) =>
        Eventually.TrueAsync(() => node.Arrived >= count, Bound);

    /// <summary>Lets time pass until something has happened.</summary>
    private protected Task PassTimeAsync(TimeSpan step, Func<bool> until) =>
        Eventually.TrueAsync(
            () =>
            {
                Clock.Advance(step);
                return until();
            },
            Bound);
}
