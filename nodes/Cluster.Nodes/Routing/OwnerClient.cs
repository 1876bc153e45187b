using Cluster.Nodes.Configuration;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.Routing;

/// <summary>The proxies of one contract for peers, kept by incarnation as in <see cref="PeerDirectory"/>, and bounded
/// in the same way. A concurrent dictionary protects itself.</summary>
/// <typeparam name="TContract">The contract.</typeparam>
internal sealed class OwnerClient<TContract>(
    PeerClient client, ITableView view, NodeIdentity self, IServiceProvider services) : IOwnerClient<TContract>
    where TContract : class
{
    private readonly ConcurrentDictionary<NodeId, TContract> _proxies = new();

    public TContract? FindOwner<TKey>(string state, TKey key)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(key);
        var keyed = services.GetKeyedService<IKeyedState<TKey>>(state) ?? throw new ArgumentException(
            $"No state '{state}' with keys of type {typeof(TKey).Name} is added here; call AddState for it.",
            nameof(state));
        if (keyed.OwnerOf(key) is not { State: not MemberState.Gone } owner)
            return null;
        return _proxies.TryGetValue(owner.Node, out var known) ? known : Add(owner);
    }

    private TContract Add(ClusterMember owner)
    {
        if (_proxies.Count >= PeerDirectory.PeerCountMax)
            _proxies.Clear();
        var address = owner.Node == view.Self ? self.InProcessAddress : owner.PeerAddress ?? owner.Address;
        return _proxies.GetOrAdd(owner.Node, _ => client.Glue.CreateProxy<TContract>(address));
    }
}
