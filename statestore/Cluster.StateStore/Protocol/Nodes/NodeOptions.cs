using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>What a node is made of. Immutable.</summary>
internal sealed record NodeOptions
{
    /// <summary>The node as it enters the member list; its slot is chosen then.</summary>
    public required ClusterMember Member { get; init; }

    /// <summary>The identity of the cluster. A table of another one is refused.</summary>
    public required Guid ClusterId { get; init; }

    /// <summary>The source of nonces and of delays by chance.</summary>
    public required Func<Guid> NewGuid { get; init; }

    /// <summary>The states of the node.</summary>
    public EquatableArray<StatePlacement> States { get; init; }

    /// <summary>How many members must be active before partitions are given to anybody for the first time.</summary>
    public int InitialNodeCount { get; init; } = 1;

    /// <summary>How many entries a partition held when it was counted last; null: it never was. Only the record of a
    /// loss shows it.</summary>
    public Func<PartitionId, long?> CountOf { get; init; } = static _ => null;

    /// <summary>How long all members must speak a version of the protocol before nodes without it are
    /// refused.</summary>
    public TimeSpan ProtocolRaiseDelay { get; init; } = TimeSpan.FromMinutes(10);

    public ProtocolTimes Times { get; init; } = new();

    /// <summary>The mistake that a test builds in.</summary>
    public Mutant Mutant { get; init; }
}
