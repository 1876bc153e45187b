using Polly;
using Polly.CircuitBreaker;

namespace Cluster.Glue.Resilience;

/// <summary>The breaker of one endpoint. Counts transport failures; an exception of the service shows that the endpoint
/// works. Polly's strategy protects its state.</summary>
internal sealed class EndpointBreaker
{
    private readonly CircuitBreakerStateProvider _state = new();
    private readonly ResiliencePipeline<object?> _pipeline;

    public EndpointBreaker(GlueBreakerOptions options, TimeProvider time)
    {
        var builder = new ResiliencePipelineBuilder<object?> { TimeProvider = time };
        _pipeline = builder.AddCircuitBreaker(new CircuitBreakerStrategyOptions<object?>
        {
            FailureRatio = options.FailureRatio,
            MinimumThroughput = options.MinCalls,
            SamplingDuration = options.Window,
            BreakDuration = options.Pause,
            StateProvider = _state,
            ShouldHandle = args => ValueTask.FromResult(IsFailure(args.Outcome.Exception)),
        }).Build();
    }

    /// <summary>Makes an attempt. Its failure is a <see cref="BrokenCircuitException"/> while the breaker is
    /// open.</summary>
    public ValueTask<Outcome<object?>> ExecuteAsync(Attempt attempt, ResilienceContext context) =>
        _pipeline.ExecuteOutcomeAsync(
            static (now, one) => one.SendAsync(now.CancellationToken), context, attempt);

    private bool IsFailure(Exception? exception) => exception switch
    {
        GlueException failure => failure.Kind != GlueErrorKind.Refused,
        // The one trial call of a half-open breaker was cancelled, so it has proven nothing.
        OperationCanceledException => _state.CircuitState == CircuitState.HalfOpen,
        _ => false,
    };
}
