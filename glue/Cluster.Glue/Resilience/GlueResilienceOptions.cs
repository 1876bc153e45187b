using Polly;

namespace Cluster.Glue.Resilience;

/// <summary>How the client handles failing calls of one proxy: retries, hedging, a breaker for each endpoint and a
/// bulkhead, from Polly's strategies. They run after the filters, and the deadline of the call bounds all attempts
/// together. Copied when the proxy is made.</summary>
public sealed class GlueResilienceOptions
{
    /// <summary>Repeats calls that failed; null: none is repeated at the endpoint where it failed.</summary>
    /// <value>Default: two retries.</value>
    public GlueRetryOptions? Retry { get; set; } = new();

    /// <summary>Repeats slow calls of idempotent methods before they have ended, at another endpoint where there is
    /// one. Null: never.</summary>
    /// <value>Default: null.</value>
    public GlueHedgingOptions? Hedging { get; set; }

    /// <summary>Stops calling an endpoint that fails, for a while; null: never.</summary>
    /// <value>Default: a breaker for each endpoint.</value>
    public GlueBreakerOptions? Breaker { get; set; } = new();

    /// <summary>Bounds the calls of the proxy that are under way; null: only the client's own limits do.</summary>
    /// <value>Default: null.</value>
    public GlueBulkheadOptions? Bulkhead { get; set; }

    /// <summary>Whether a method is idempotent that is not marked with <see cref="IdempotentAttribute"/>. Null: it is
    /// not.</summary>
    public Func<MethodInfo, bool>? IsIdempotent { get; set; }

    /// <summary>Adds strategies of your own around the ready ones, within the bulkhead. They see each call once, with
    /// its result as an object.</summary>
    public Action<ResiliencePipelineBuilder<object?>>? ConfigurePipeline { get; set; }
}
