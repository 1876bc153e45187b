using Cluster.Glue.Channels;
using Cluster.Glue.Settings;

namespace Cluster.Glue.Routes;

/// <summary>All calls go to one address. Immutable.</summary>
internal sealed class FixedRoute(ClientSettings settings, ICallChannel channel) : CallRoute(settings)
{
    public override bool SharesObjects => channel is InProcessChannel { SharesObjects: true };

    public override bool HasAlternatives => false;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => channel;
}
