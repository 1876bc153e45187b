using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Authorization;

/// <summary>Admits the calls of one server to their methods, or refuses them, before their arguments are read.
/// Immutable.</summary>
internal sealed class CallAdmission(
    IServiceProvider services, ServerSettings settings, CallerAuthentication callers, ServerLog log)
{
    /// <summary>Whether there is nothing to decide: the method is open to everybody, and the call has no
    /// token.</summary>
    public bool IsFree(MethodAccess? access, GlueCall call) =>
        access is null && (call.Received is null || !callers.ReadsTokens);

    /// <summary>Whether the decision for this caller and method is known already.</summary>
    public static bool IsKnown(MethodAccess? access, GlueCall call) =>
        access?.IsKnown(call.Identity) == true && BearerToken.In(call.Received) is null;

    /// <summary>Returns why a call that waited is not admitted any more, because its time is over. Null: there is time
    /// left.</summary>
    public Exception? Late(ContractMethod method, GlueCall call, long arrivedAt)
    {
        var now = settings.Time.GetTimestamp();
        if (call.IsCancelled || now >= call.DeadlineTimestamp)
            return new OperationCanceledException("The call's time was over before it could run.");
        var delay = settings.Time.GetElapsedTime(arrivedAt, now);
        return delay > settings.MaxQueueDelay
            ? GlueErrors.QueuedTooLong(method, delay, settings.MaxQueueDelay)
            : null;
    }

    /// <summary>Waits for a decision while the call is wanted, and then continues the call.</summary>
    public static async Task WaitAsync(
        ValueTask<GlueException?> decision, GlueCall call, Action<Exception?> goOn)
    {
        Exception? refusal;
        try
        {
            refusal = await decision.AsTask().WaitAsync(call.CancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException exception)
        {
            refusal = exception;
        }

        goOn(refusal);
    }

    /// <summary>Returns why the call is refused, or null.</summary>
    /// <param name="access">Who may call the method; null: everybody.</param>
    /// <param name="call">Gets the identity of the caller.</param>
    public ValueTask<GlueException?> DecideAsync(MethodAccess? access, GlueCall call)
    {
        if (callers.ReadsTokens && BearerToken.In(call.Received) is { } token)
            return DecideAsync(access, call, token);
        if (access is null)
            return default;
        return access.TryDecide(call.Identity, settings.Time, out var refusal)
            ? new ValueTask<GlueException?>(refusal)
            : access.DecideAsync(call.Identity, services, settings.Time, log);
    }

    private async ValueTask<GlueException?> DecideAsync(MethodAccess? access, GlueCall call, string token)
    {
        call.Identity = await callers.IdentifyAsync(token).ConfigureAwait(false);
        return access is null
            ? null
            : await access.DecideAsync(call.Identity, services, settings.Time, log).ConfigureAwait(false);
    }
}
