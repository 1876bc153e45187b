using Cluster.Glue.Client;

namespace Cluster.Glue.Routes;

/// <summary>Another route, to one instance of a stateful service. Immutable.</summary>
internal sealed class InstanceRoute : CallRoute
{
    private readonly CallRoute _route;

    public InstanceRoute(CallRoute route, GlueInstance instance)
        : base(route.Settings)
    {
        _route = route;
        DeadlineMax = route.DeadlineMax;
        Headers = CallHeaders.Of(instance);
    }

    public override ReadOnlyMemory<byte> Headers { get; }

    public override bool SharesObjects => _route.SharesObjects;

    public override bool HasAlternatives => _route.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => _route.Select(excluded);

    public override CallRoute At(GlueInstance other) => _route.At(other);
}
