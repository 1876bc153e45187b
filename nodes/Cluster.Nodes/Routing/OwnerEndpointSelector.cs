using Cluster.Glue;
using Cluster.Nodes.Configuration;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>Sends calls to the owner of a key, and elsewhere only where that cannot be. Immutable.</summary>
/// <param name="findOwner">Finds the owner now; null: nobody owns the key.</param>
/// <param name="any">Chooses any node that offers the contract.</param>
/// <param name="view">The newest table.</param>
/// <param name="self">This process.</param>
internal sealed class OwnerEndpointSelector(
    Func<ClusterMember?> findOwner, IGlueEndpointSelector any, ITableView view, NodeIdentity self)
    : IGlueEndpointSelector
{
    public string? SelectEndpoint(Type contract, IReadOnlyCollection<string> excluded)
    {
        if (findOwner() is not { State: not MemberState.Gone } owner || !owner.Services.Contains(contract.FullName!))
            return any.SelectEndpoint(contract, excluded);
        var address = owner.Node == view.Self ? self.InProcessAddress : owner.Address;
        return excluded.Contains(address) ? any.SelectEndpoint(contract, excluded) : address;
    }
}
