namespace Cluster.Nodes.Handoff;

/// <summary>The partitions whose records have arrived here completely, each with what the table said at that time: only
/// if no loss has been declared since, the records are what the cluster believes this node to have. Safe for concurrent
/// use; bounded by the number of partitions.</summary>
internal sealed class StagedPartitions
{
    private readonly ConcurrentDictionary<PartitionId, StagedPartition> _staged = new();

    public void Add(PartitionId partition, StagedPartition staged) => _staged[partition] = staged;

    public StagedPartition? Find(PartitionId partition) => _staged.GetValueOrDefault(partition);

    public void Remove(PartitionId partition) => _staged.TryRemove(partition, out _);
}
