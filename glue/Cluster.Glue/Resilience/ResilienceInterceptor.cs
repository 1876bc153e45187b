using Cluster.Glue.Client;
using Cluster.Glue.Routes;
using Polly;
using Polly.Hedging;
using Polly.Retry;

namespace Cluster.Glue.Resilience;

/// <summary>Runs the calls of one proxy through Polly's pipelines, from the outside: bulkhead, the user's own
/// strategies, retry, hedging, and for each attempt the breaker of its endpoint. Immutable; the strategies protect
/// their counters.</summary>
internal sealed class ResilienceInterceptor : CallInterceptor
{
    private readonly ResilienceSettings _settings;
    private readonly Bulkhead? _bulkhead;
    private readonly ResiliencePipeline<object?> _outer;
    private readonly ResiliencePipeline<object?> _hedged;
    private readonly ResiliencePipeline<object?> _plain;

    public ResilienceInterceptor(GlueResilienceOptions options, CallRoute route)
    {
        var time = route.Settings.Time;
        _settings = new ResilienceSettings(options, time);
        _bulkhead = options.Bulkhead is null ? null : new Bulkhead(options.Bulkhead);
        var outer = new ResiliencePipelineBuilder<object?> { TimeProvider = time };
        options.ConfigurePipeline?.Invoke(outer);
        _outer = outer.Build();
        // Without retries, a call that was not delivered still goes to another endpoint, as it does without resilience.
        var retriesMax = options.Retry?.MaxRetryAttempts ?? (route.HasAlternatives ? GlueLimits.AttemptsMax : 0);
        _plain = NewBuilder(retriesMax, time).Build();
        _hedged = options.Hedging is null ? _plain : AddHedging(NewBuilder(retriesMax, time), options.Hedging).Build();
    }

    public override bool TakesObjects => false;

    public override Task<T> SendAsync<T>(OutgoingCall<T> call, CallRoute route, CancellationToken cancellationToken)
    {
        var method = (ClientMethod<T>)call.Method;
        try
        {
            var logical = new LogicalCall<T>(method, route, call.TakeArguments(), _settings)
            {
                Observation = call.Observation,
            };
            return RunAsync(logical, cancellationToken);
        }
        catch (Exception exception)
        {
            return Task.FromException<T>(exception);
        }
        finally
        {
            call.Abandon();
        }
    }

    private static ResiliencePipelineBuilder<object?> NewBuilder(int retriesMax, TimeProvider time)
    {
        var builder = new ResiliencePipelineBuilder<object?> { TimeProvider = time };
        if (retriesMax == 0)
            return builder;
        return builder.AddRetry(new RetryStrategyOptions<object?>
        {
            MaxRetryAttempts = retriesMax,
            // Polly asks once more after the last attempt, although no further attempt may follow.
            ShouldHandle = args => ValueTask.FromResult(
                args.AttemptNumber < retriesMax && LogicalCall.Of(args.Context).MayRepeat(args.Outcome.Exception)),
            DelayGenerator = static args => ValueTask.FromResult<TimeSpan?>(
                LogicalCall.Of(args.Context).PauseBefore(args.AttemptNumber)),
        });
    }

    private static ResiliencePipelineBuilder<object?> AddHedging(
        ResiliencePipelineBuilder<object?> builder, GlueHedgingOptions options) =>
        builder.AddHedging(new HedgingStrategyOptions<object?>
        {
            Delay = options.Delay,
            MaxHedgedAttempts = options.MaxHedges,
            ShouldHandle = static args => ValueTask.FromResult(
                args.Outcome.Exception is GlueException { Kind: not GlueErrorKind.Refused }),
            ActionGenerator = static args =>
            {
                var call = LogicalCall.Of(args.ActionContext);
                return call.TryBegin(out _) is { } attempt ? () => call.RunAsync(args.ActionContext, attempt) : null;
            },
        });

    private async Task<T> RunAsync<T>(LogicalCall<T> call, CancellationToken cancellationToken)
    {
        using var room =
            _bulkhead is null ? null : await _bulkhead.EnterAsync(call, cancellationToken).ConfigureAwait(false);
        var context = ResilienceContextPool.Shared.Get(continueOnCapturedContext: false, cancellationToken);
        call.AttachTo(context);
        try
        {
            var inner = call.MayHedge ? _hedged : _plain;
            var outcome = await _outer.ExecuteOutcomeAsync(
                static (now, state) => state.inner.ExecuteOutcomeAsync(
                    static (each, one) => one.RunAsync(each), now, state.call),
                context,
                (inner, call)).ConfigureAwait(false);
            if (outcome.Exception is OperationCanceledException && cancellationToken.IsCancellationRequested)
                throw new OperationCanceledException(cancellationToken);
            outcome.ThrowIfException();
            return (T)outcome.Result!;
        }
        finally
        {
            ResilienceContextPool.Shared.Return(context);
        }
    }
}
