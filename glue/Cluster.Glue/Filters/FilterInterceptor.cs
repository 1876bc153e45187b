using Cluster.Glue.Client;
using Cluster.Glue.Routes;

namespace Cluster.Glue.Filters;

/// <summary>Runs the filters of a proxy around its calls. Immutable.</summary>
internal sealed class FilterInterceptor(FilterChains chains) : CallInterceptor
{
    // Filters may change arguments, so serialization comes after them.
    public override bool TakesObjects => true;

    public override Task<T> SendAsync<T>(OutgoingCall<T> call, CallRoute route, CancellationToken cancellationToken)
    {
        var channel = route.Select([]);
        var next = channel is not null && route.HasAlternatives ? route.StartingWith(channel) : route;
        var binding = channel?.Binding ?? GlueBinding.Link;
        var context = new OutgoingCallContext<T>(call, next, binding, cancellationToken);
        return context.RunAsync(chains.Of(binding) ?? (static one => one.ContinueAsync()));
    }
}
