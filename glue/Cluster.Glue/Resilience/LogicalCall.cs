using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.Routes;
using Cluster.Glue.Settings;
using Polly;
using Polly.CircuitBreaker;

namespace Cluster.Glue.Resilience;

/// <summary>One call as its caller sees it. It may have several attempts, one after the other or at the same time.
/// Their shared state changes by single atomic writes.</summary>
internal abstract class LogicalCall(
    ClientMethod method, CallRoute route, CallArguments arguments, ResilienceSettings settings)
{
    private static readonly ResiliencePropertyKey<LogicalCall> Key = new("Cluster.Glue.LogicalCall");
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    private readonly CallRoute _route = route;
    private readonly ResilienceSettings _settings = settings;
    private readonly long _deadline =
        CallDeadline.Next(route.Settings, route.DeadlineMax, route.Settings.Time.GetTimestamp());
    private ImmutableList<string> _used = [];
    private ICallChannel? _reserved;
    private Exception? _lastFailure;
    private int _attemptCount;
    private bool _isBudgetSpent;

    public ClientMethod Method { get; } = method;

    public CallArguments Arguments { get; } = arguments;

    /// <summary>What is observed of the call; null: nobody listens.</summary>
    public CallObservation? Observation { get; init; }

    public ClientSettings Settings => _route.Settings;

    public bool IsIdempotent { get; } = settings.IsIdempotent(method.Contract);

    /// <summary>Whether the call may be under way twice.</summary>
    public bool MayHedge =>
        IsIdempotent && Arguments.References is null && !Method.Contract.IsOneWay && !Method.ReturnsReferences;

    /// <summary>The time left for all attempts together.</summary>
    public TimeSpan Remaining
    {
        get
        {
            var left = Settings.Time.GetElapsedTime(Settings.Time.GetTimestamp(), _deadline);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    public static LogicalCall Of(ResilienceContext context) => context.Properties.GetValue(Key, null!);

    public void AttachTo(ResilienceContext context) => context.Properties.Set(Key, this);

    /// <summary>Whether another attempt may follow a failed one; finds the endpoint for it.</summary>
    public bool MayRepeat(Exception? failure)
    {
        if (failure is null || _isBudgetSpent || Arguments.References is not null || Remaining == TimeSpan.Zero)
            return false;
        if (failure is not GlueException known)
            return IsIdempotent && failure is not OperationCanceledException && _settings.Handles(failure);
        var isNotDelivered = known.Delivery == GlueDelivery.NotDelivered;
        if (isNotDelivered && GlueErrors.MayTryElsewhere(known) && TryReserveElsewhere())
            return true;
        if (!_settings.Retries || known.Code == GlueErrorCode.CircuitOpen || known.Kind == GlueErrorKind.Refused)
            return false;
        return isNotDelivered ? GlueErrors.MayTryElsewhere(known) : IsIdempotent;
    }

    /// <summary>The pause before a retry, counted from 0.</summary>
    public TimeSpan PauseBefore(int retry)
    {
        if (Volatile.Read(ref _reserved) is not null)
            return TimeSpan.Zero;
        var pause = _settings.PauseBefore(retry);
        return pause < Remaining ? pause : Remaining;
    }

    /// <summary>Makes an attempt. Where the breaker of an endpoint is open, it makes the attempt at another endpoint at
    /// once.</summary>
    /// <param name="context">The context of the attempt.</param>
    /// <param name="attempt">An attempt that was begun before; null: the next one.</param>
    public async ValueTask<Outcome<object?>> RunAsync(ResilienceContext context, Attempt? attempt = null)
    {
        Exception? failure = null;
        for (var next = attempt ?? TryBegin(out failure); next is not null; next = TryBegin(out failure))
        {
            var outcome = await _settings.ExecuteAsync(next, context).ConfigureAwait(false);
            if (outcome.Exception is not BrokenCircuitException)
            {
                if (outcome.Exception is not (null or OperationCanceledException))
                    _lastFailure = outcome.Exception;
                return outcome;
            }

            next.GiveUp();
            failure = _lastFailure = GlueErrors.CircuitOpen(Method.Contract, next.Address);
            if (!TryReserveElsewhere())
                break;
        }

        return Outcome.FromException<object?>(failure!);
    }

    /// <summary>Finds an endpoint for another attempt and takes the attempt from its retry budget. Null: no attempt is
    /// made.</summary>
    public Attempt? TryBegin(out Exception? failure)
    {
        failure = null;
        if (Remaining == TimeSpan.Zero)
        {
            failure = _lastFailure ?? GlueErrors.DeadlineBeforeSend(Method.Contract, null);
            return null;
        }

        if (Select() is not { } channel)
        {
            failure = _lastFailure ?? GlueErrors.NoEndpoint(Method.Contract);
            return null;
        }

        ImmutableInterlocked.Update(ref _used, static (used, address) => used.Add(address), channel.Address);
        var isFirst = Interlocked.Increment(ref _attemptCount) == 1;
        var budget = Settings.RetryBudgets.Of(channel.Address);
        if (isFirst || budget.TryTake())
            return new Attempt(this, channel, budget, isFirst);
        _isBudgetSpent = true;
        failure = _lastFailure;
        return null;
    }

    /// <summary>Notes that the first attempt was not made, so that the next one counts as the first.</summary>
    public void ForgetFirst() => Interlocked.Decrement(ref _attemptCount);

    /// <summary>Sends the call to one endpoint, within the time that is left.</summary>
    public Task<object?> SendAsync(ICallChannel channel, CancellationToken cancellationToken)
    {
        var left = Remaining;
        var route = _route.HasAlternatives ? new ChosenRoute(_route, channel, isFinal: true) : _route;
        using (GlueCall.WithDeadline(left > Shortest ? left : Shortest))
            return SendAsync(route, cancellationToken);
    }

    protected abstract Task<object?> SendAsync(CallRoute route, CancellationToken cancellationToken);

    private ICallChannel? Select() =>
        Interlocked.Exchange(ref _reserved, null)
            ?? _route.Select(_used)
            // All endpoints have been tried: begin again with the first.
            ?? _route.Select([]);

    private bool TryReserveElsewhere()
    {
        if (!_route.HasAlternatives || _route.Select(_used) is not { } other)
            return false;
        Volatile.Write(ref _reserved, other);
        return true;
    }
}
