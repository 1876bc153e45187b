using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Nodes;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Engine;

/// <summary>What an engine is made of. Immutable.</summary>
/// <param name="Node">The node.</param>
/// <param name="Shard">The sizes and times of its partitions.</param>
/// <param name="Hash">The hash of the cluster.</param>
/// <param name="Tables">The records of all states.</param>
internal sealed record EngineOptions(NodeOptions Node, ShardOptions Shard, PartitionHash Hash, StateTables Tables)
{
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>The layout descriptions that the node keeps.</summary>
    public LayoutShelf Layouts { get; init; } = new(new StateCatalog([]), Hash.ClusterId);

    /// <summary>Called when the table says that a partition began again empty, with the records that this node has
    /// dropped.</summary>
    public Action<PartitionId, long> Lost { get; init; } = static (_, _) => { };

    /// <summary>Called when a partition is lost, with the epoch of the loss: the shard shall learn what snapshot of it
    /// there is.</summary>
    public Action<PartitionId, long> SnapshotWanted { get; init; } = static (_, _) => { };

    /// <summary>Called when a partition shall be loaded from its snapshot, with the epoch of the loss.</summary>
    public Action<PartitionId, long> RestorationWanted { get; init; } = static (_, _) => { };

    /// <summary>Called when the engine has stopped because the core threw an exception.</summary>
    public Action<Exception> Failed { get; init; } = static _ => { };
}
