using Cluster.Glue.Settings;

namespace Cluster.Glue.Routes;

/// <summary>The route of calls that all go to one address. Immutable.</summary>
internal sealed class FixedRoute(ClientSettings settings, ICallChannel channel) : CallRoute(settings)
{
    private readonly ISharingChannel? _sharing = channel as ISharingChannel;

    public override bool SharesObjects => _sharing is { SharesObjects: true };

    public override bool HasAlternatives => false;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) => channel;
}
