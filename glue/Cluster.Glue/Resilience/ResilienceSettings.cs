using Cluster.Contracts.Pacing;
using Cluster.Glue.Signatures;
using Polly;

namespace Cluster.Glue.Resilience;

/// <summary>The frozen resilience options of one proxy, and the breakers of its endpoints. The breakers, and the
/// remembered answers about methods, are in concurrent dictionaries; all else is immutable.</summary>
internal sealed class ResilienceSettings(GlueResilienceOptions options, TimeProvider time)
{
    private readonly Func<Exception, bool>? _handles = options.Retry?.HandlesException;
    private readonly TimeSpan _delay = options.Retry?.Delay ?? TimeSpan.Zero;
    private readonly TimeSpan _delayMax = options.Retry?.MaxDelay ?? TimeSpan.Zero;
    private readonly Func<MethodInfo, bool>? _isIdempotent = options.IsIdempotent;
    // The breaker of an endpoint is created with the first call there.
    private readonly GlueBreakerOptions? _breaker = options.Breaker?.Copy();
    private readonly Jitter _jitter = new();
    private readonly ConcurrentDictionary<ContractMethod, bool> _idempotent = new();
    private readonly ConcurrentDictionary<string, EndpointBreaker> _breakers = new(StringComparer.Ordinal);

    /// <summary>Whether failed calls may be repeated.</summary>
    public bool Retries { get; } = options.Retry is not null;

    public bool IsIdempotent(ContractMethod method) =>
        method.IsIdempotent
            || (_isIdempotent is not null
                && _idempotent.GetOrAdd(method, static (one, ask) => ask(one.Method), _isIdempotent));

    /// <summary>Whether an exception of the service is worth another call.</summary>
    public bool Handles(Exception exception) => _handles?.Invoke(exception) == true;

    public TimeSpan PauseBefore(int retry) => _jitter.Spread(Backoff.Pause(_delay, _delayMax, retry));

    public ValueTask<Outcome<object?>> ExecuteAsync(Attempt attempt, ResilienceContext context) =>
        _breaker is null
            ? attempt.SendAsync(context.CancellationToken)
            : _breakers.GetOrAdd(attempt.Address, _ => new EndpointBreaker(_breaker, time))
                .ExecuteAsync(attempt, context);
}
