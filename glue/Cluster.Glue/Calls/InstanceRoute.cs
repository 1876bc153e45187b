using Cluster.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>Where another route leads, and there to one instance of a stateful service. Immutable.</summary>
internal sealed class InstanceRoute(CallRoute route, GlueInstance instance) : CallRoute(route.Settings)
{
    /// <summary>The route without an instance.</summary>
    public CallRoute Service { get; } = route is InstanceRoute bound ? bound.Service : route;

    public override ReadOnlyMemory<byte> Headers { get; } = CallHeaders.Of(instance);

    public override bool SharesObjects => Service.SharesObjects;

    public override bool HasAlternatives => Service.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => Service.Select(excluded);
}
