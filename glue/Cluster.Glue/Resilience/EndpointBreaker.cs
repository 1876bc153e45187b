using Polly;
using Polly.CircuitBreaker;

namespace Cluster.Glue.Resilience;

/// <summary>The breaker of one endpoint. Counts failures of the way to it; what the service itself throws shows that it
/// lives. Polly's strategy protects its state.</summary>
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

    /// <summary>Makes an attempt. Its failure is a <see cref="BrokenCircuitException"/> when none is made
    /// now.</summary>
    public ValueTask<Outcome<object?>> ExecuteAsync(Attempt attempt, ResilienceContext context) =>
        _pipeline.ExecuteOutcomeAsync(
            static (now, one) => one.SendAsync(now.CancellationToken), context, attempt);

    private bool IsFailure(Exception? exception) => exception switch
    {
        GlueException failure => failure.Kind != GlueErrorKind.Refused,
        // The one call that was to show whether the endpoint lives has shown nothing.
        OperationCanceledException => _state.CircuitState == CircuitState.HalfOpen,
        _ => false,
    };
}
