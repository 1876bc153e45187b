using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine;

/// <summary>What an engine is made of. Immutable.</summary>
internal sealed record EngineOptions
{
    /// <summary>The node as it enters the member list; its slot is chosen then.</summary>
    public required ClusterMember Member { get; init; }

    /// <summary>The hash of the cluster.</summary>
    public required PartitionHash Hash { get; init; }

    /// <summary>The records of each state, by its number.</summary>
    public required ImmutableArray<StampedTable> Tables { get; init; }

    /// <summary>How many backups a partition should have.</summary>
    public int Backups { get; init; }

    public ProtocolTimes Times { get; init; } = new();

    public TimeProvider Time { get; init; } = TimeProvider.System;
}
