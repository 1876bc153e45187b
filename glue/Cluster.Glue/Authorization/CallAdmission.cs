using Cluster.Contracts;
using Cluster.Glue.Catalog;
using Cluster.Glue.Faults;
using Cluster.Glue.Sessions;

namespace Cluster.Glue.Authorization;

/// <summary>Lets one call through to its method, or refuses it, before its arguments are read. Stateless.</summary>
internal static class CallAdmission
{
    /// <summary>Whether there is nothing to decide: the method is for everybody, and the call has no token.</summary>
    public static bool IsFree(ServerRuntime server, ServedMethod method, GlueCall call) =>
        method.Access is null && (call.Received is null || !server.Callers.ReadsTokens);

    /// <summary>Whether it was decided before, for this caller and method.</summary>
    public static bool IsKnown(ServedMethod method, GlueCall call) =>
        method.Access is { } access && call.Identity.FindDecision(access) is not null
            && BearerToken.In(call.Received) is null;

    /// <summary>Why a call that waited is not looked at any more; null: it is.</summary>
    public static Exception? Late(ServerRuntime server, ServedMethod method, GlueCall call, long arrivedAt)
    {
        var settings = server.Settings;
        var now = settings.Time.GetTimestamp();
        if (call.IsCancelled || now >= call.DeadlineTimestamp)
            return new OperationCanceledException("The call's time was over before it could run.");
        var delay = settings.Time.GetElapsedTime(arrivedAt, now);
        return delay > settings.QueueDelayMax
            ? GlueErrors.QueuedTooLong(method.Contract, delay, settings.QueueDelayMax)
            : null;
    }

    /// <summary>Waits for a decision, as long as anybody waits for the call, and goes on with it.</summary>
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

    /// <summary>Gives why the call is refused, or null.</summary>
    /// <param name="server">Of the call.</param>
    /// <param name="method">What is called.</param>
    /// <param name="call">Is told who calls.</param>
    public static ValueTask<GlueException?> DecideAsync(ServerRuntime server, ServedMethod method, GlueCall call)
    {
        if (server.Callers.ReadsTokens && BearerToken.In(call.Received) is { } token)
            return DecideAsync(server, method, call, token);
        if (method.Access is not { } access)
            return default;
        return access.TryDecide(server, call.Identity, out var refusal)
            ? new ValueTask<GlueException?>(refusal)
            : access.DecideAsync(server, call.Identity);
    }

    private static async ValueTask<GlueException?> DecideAsync(
        ServerRuntime server, ServedMethod method, GlueCall call, string token)
    {
        call.Identity = await server.Callers.IdentifyAsync(token).ConfigureAwait(false);
        return method.Access is { } access
            ? await access.DecideAsync(server, call.Identity).ConfigureAwait(false)
            : null;
    }
}
