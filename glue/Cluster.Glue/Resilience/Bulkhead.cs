using System.Threading.RateLimiting;
using Cluster.Glue.Faults;

namespace Cluster.Glue.Resilience;

/// <summary>Bounds the calls of one proxy that are under way. The limiter counts them and protects itself.</summary>
#pragma warning disable CA1001 // Proxies are not disposed, and the limiter holds nothing but a count.
internal sealed class Bulkhead(GlueBulkheadOptions options)
#pragma warning restore CA1001
{
    private readonly int _callsMax = options.MaxCalls;
    private readonly ConcurrencyLimiter _limiter = new(new ConcurrencyLimiterOptions
    {
        PermitLimit = options.MaxCalls,
        QueueLimit = options.MaxWaiting,
        QueueProcessingOrder = QueueProcessingOrder.OldestFirst,
    });

    /// <summary>Waits for room for a call; the returned lease gives it back.</summary>
    /// <exception cref="GlueException">There was no room before the deadline.</exception>
    public async ValueTask<RateLimitLease> EnterAsync(LogicalCall call, CancellationToken cancellationToken)
    {
        var lease = _limiter.AttemptAcquire();
        return lease.IsAcquired ? lease : await WaitAsync(call, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<RateLimitLease> WaitAsync(LogicalCall call, CancellationToken cancellationToken)
    {
        using var deadline = new CancellationTokenSource(call.Remaining, call.Settings.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            var lease = await _limiter.AcquireAsync(1, either.Token).ConfigureAwait(false);
            return lease.IsAcquired ? lease : throw Full(call);
        }
        catch (OperationCanceledException)
        {
            throw cancellationToken.IsCancellationRequested
                ? new OperationCanceledException(cancellationToken)
                : Full(call);
        }
    }

    private GlueException Full(LogicalCall call) => GlueErrors.NotDelivered(
        GlueErrorKind.Overloaded,
        GlueErrorCode.BulkheadFull,
        $"{call.Method.Contract.DisplayName} was not sent: {_callsMax} calls of its proxy are under way "
        + "(Bulkhead.MaxCalls), and there is no room to wait (Bulkhead.MaxWaiting), or none became free before the "
        + "deadline.");
}
