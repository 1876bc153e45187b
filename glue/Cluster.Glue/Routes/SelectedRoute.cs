using Cluster.Glue.Settings;

namespace Cluster.Glue.Routes;

/// <summary>The route of calls whose address a selector names. Immutable; the selector is thread-safe by
/// contract.</summary>
internal sealed class SelectedRoute(
    ClientSettings settings, Type contract, IGlueEndpointSelector selector, Func<string, ICallChannel> channelOf)
    : CallRoute(settings)
{
    public override bool HasAlternatives => true;

    public override ICallChannel? Select(IReadOnlyCollection<string> excluded) =>
        selector.SelectEndpoint(contract, excluded) is { } address ? channelOf(address) : null;
}
