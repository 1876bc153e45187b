using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>A state seen from its keys alone, for callers that do not name its value type. Registered by the state's
/// name.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
internal interface IKeyedState<in TKey>
{
    /// <summary>The owner of a key now, or null.</summary>
    ClusterMember? OwnerOf(TKey key);

    /// <summary>The partition of a key, or null while no node has joined that has the state.</summary>
    PartitionId? FindPartition(TKey key);
}
