namespace Cluster.Nodes.Watching;

/// <summary>How many entries each partition held when its owner was asked last, so that a loss can be counted after its
/// node is gone. Safe for concurrent use.</summary>
internal sealed class PartitionCounts
{
    private readonly ConcurrentDictionary<PartitionId, long> _last = new();
    private long _entriesLost;

    /// <summary>The last count of each partition, from the node that owned it then.</summary>
    public IReadOnlyDictionary<PartitionId, long> Last => _last;

    /// <summary>Entries known to have been lost so far.</summary>
    public long EntriesLost => Interlocked.Read(ref _entriesLost);

    public void Set(PartitionId partition, long entries) => _last[partition] = entries;

    /// <summary>Notes that partitions have begun again empty.</summary>
    /// <param name="partitions">The partitions.</param>
    /// <param name="entries">How many entries were lost with them, or null when that is not known.</param>
    public void NoteLoss(IEnumerable<PartitionId> partitions, long? entries)
    {
        foreach (var partition in partitions)
            _last[partition] = 0;
        Interlocked.Add(ref _entriesLost, entries ?? 0);
    }
}
