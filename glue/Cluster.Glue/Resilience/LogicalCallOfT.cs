using Cluster.Glue.Client;
using Cluster.Glue.Routes;

namespace Cluster.Glue.Resilience;

/// <summary>A logical call with its result type: each attempt is a call object with the same arguments.</summary>
internal sealed class LogicalCall<T>(
    ClientMethod<T> method, CallRoute route, CallArguments arguments, ResilienceSettings settings)
    : LogicalCall(method, route, arguments, settings)
{
    protected override Task<object?> SendAsync(CallRoute route, CancellationToken cancellationToken)
    {
        var call = ((ClientMethod<T>)Method).Begin(route);
        call.BecomePartOf(Observation);
        call.SetArguments(Arguments);
        return BoxAsync(call.SendForTaskAsync(cancellationToken));
    }

    private static async Task<object?> BoxAsync(Task<T> task) => await task.ConfigureAwait(false);
}
