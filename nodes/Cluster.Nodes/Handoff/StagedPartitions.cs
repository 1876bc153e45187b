namespace Cluster.Nodes.Handoff;

/// <summary>The partitions whose records have all arrived here, each with what the table said at that time. The records
/// are valid only while no loss has been declared since. Safe for concurrent use; bounded by the number of
/// partitions.</summary>
internal sealed class StagedPartitions
{
    private readonly ConcurrentDictionary<PartitionId, StagedPartition> _staged = new();

    public void Add(PartitionId partition, StagedPartition staged) => _staged[partition] = staged;

    public StagedPartition? Find(PartitionId partition) => _staged.GetValueOrDefault(partition);

    public void Remove(PartitionId partition) => _staged.TryRemove(partition, out _);
}
