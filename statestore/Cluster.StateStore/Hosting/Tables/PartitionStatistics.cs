namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The counters of one partition at its primary, at one moment. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Epoch">The epoch it acts on.</param>
/// <param name="Entries">How many values it holds, expired ones that have not been swept yet among them.</param>
/// <param name="Bytes">The bytes of their keys and values.</param>
public sealed record PartitionStatistics(
    PartitionId Partition, Epoch Epoch, long Entries, long Bytes);
