using System.Security.Claims;
using Cluster.Glue.Catalog;
using Cluster.Glue.Client;
using Cluster.Glue.Filters;

namespace Cluster.Glue.Serving;

/// <summary>A served call with filters around it. The method runs behind the last filter, and its result goes back
/// through the filters before the call is answered.</summary>
internal sealed class IncomingCallContext(
    IncomingCall call, object service, ServedMethod method, ArgumentBox? firstArgument, IServiceProvider services)
    : GlueCallContext(method.Contract, method.Owner.Description.Type, firstArgument)
{
    // Kept here, because the call may have ended and be reused when a filter still reads its context.
    private readonly GlueCall _call = call.Context;
    private readonly TaskCompletionSource _running = new();

    public override GlueBinding Binding { get; } = call.Binding;

    public override ClaimsPrincipal User => _call.User;

    public override GlueHeaders Headers => _call.Headers;

    public override GlueHeaders ReplyHeaders => _call.ReplyHeaders;

    public override CancellationToken CancellationToken => _call.CancellationToken;

    public override IServiceProvider Services => services;

    /// <summary>Runs the filters, then answers the call.</summary>
    public async Task RunAsync(Func<GlueCallContext, ValueTask> filters)
    {
        var failure = await FailureOfAsync(filters).ConfigureAwait(false);
        // The call is reused after its end, so a method that a filter has not awaited must end first.
        if (!TryEnd() && !_running.Task.IsCompleted)
        {
            var late = await FailureOfAsync(_ => new ValueTask(_running.Task)).ConfigureAwait(false);
            failure ??= late;
        }

        if (failure is null)
            method.Shape.Result.Conclude(call, Result);
        else
            call.FailFiltered(failure);
    }

    /// <summary>Takes the result of the method.</summary>
    public void SetReturned(object? result)
    {
        if (method.Contract.HasResult)
            Result = result;
        _running.SetResult();
    }

    /// <summary>Takes the failure of the method.</summary>
    public void SetFailed(Exception exception) => _running.SetException(exception);

    internal override ValueTask ContinueAsync()
    {
        BeginRunning();
        call.InvokeFiltered(service, Arguments.First);
        return new ValueTask(_running.Task);
    }

    private protected override bool Accepts(object? result) =>
        method.Contract.HasResult ? method.Shape.Result.Accepts(result) : result is null;

    private async ValueTask<Exception?> FailureOfAsync(Func<GlueCallContext, ValueTask> work)
    {
        try
        {
            await work(this).ConfigureAwait(false);
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }
}
