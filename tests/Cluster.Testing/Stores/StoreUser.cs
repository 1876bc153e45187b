using Cluster.Contracts;
using Cluster.Nodes.Stores;

namespace Cluster.Testing.Stores;

/// <summary>One node of a store test: its store, its identity and its announcement. Immutable.</summary>
/// <param name="Store">The node's own store.</param>
/// <param name="Node">The node's identity.</param>
/// <param name="Registration">The node's announcement.</param>
public sealed record StoreUser(IClusterStore Store, NodeId Node, INodeRegistration Registration)
{
    /// <summary>Tries to become the coordinator.</summary>
    public async Task<ICoordinatorLease?> AcquireAsync() =>
        await Store.TryAcquireCoordinatorAsync(Node, CancellationToken.None);

    /// <summary>Becomes the coordinator as soon as no other node is.</summary>
    public async Task<ICoordinatorLease> AcquireEventuallyAsync()
    {
        ICoordinatorLease? lease = null;
        await Eventually.TrueAsync(async () => (lease ??= await AcquireAsync()) is not null, TimeSpan.FromMinutes(1));
        return lease!;
    }
}
