using Cluster.Glue.Client;

namespace Cluster.Glue.Routes;

/// <summary>Another route, to one instance of a stateful service. Immutable.</summary>
internal sealed class InstanceRoute(CallRoute route, GlueInstance instance) : CallRoute(route.Settings)
{
    public override ReadOnlyMemory<byte> Headers { get; } = CallHeaders.Of(instance);

    public override bool SharesObjects => route.SharesObjects;

    public override bool HasAlternatives => route.HasAlternatives;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => route.Select(excluded);

    public override CallRoute At(GlueInstance other) => route.At(other);
}
