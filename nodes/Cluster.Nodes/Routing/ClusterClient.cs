using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.Routing;

/// <summary>Makes the proxies of one contract. Stateless.</summary>
/// <typeparam name="TContract">The contract.</typeparam>
internal sealed class ClusterClient<TContract>(
    GlueClient glue,
    ServiceEndpointSelector any,
    ITableView view,
    IServiceProvider services,
    GlueProxyOptions options)
    : IClusterClient<TContract>
    where TContract : class
{
    public TContract Any { get; } = glue.CreateProxy<TContract>(any, options);

    public TContract ForKey<TKey>(string state, TKey key)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(key);
        var keyed = services.GetKeyedService<IKeyedState<TKey>>(state) ?? throw new ArgumentException(
            $"No state '{state}' with keys of type {typeof(TKey).Name} is added here; call AddState for it.",
            nameof(state));
        var self = services.GetRequiredService<NodeIdentity>();
        var owner = new OwnerEndpointSelector(() => keyed.OwnerOf(key), any, view, self);
        return glue.CreateProxy<TContract>(owner, options);
    }
}
