namespace Cluster.StateStore.Messages;

/// <summary>Closes a transfer: what must have arrived, and where the partition's counters stand.</summary>
public sealed class HandoffTotals
{
    /// <summary>How many records were sent in all chunks.</summary>
    public long RecordCount { get; init; }

    /// <summary>The last version that the partition gave to a write.</summary>
    public long LastVersion { get; init; }

    /// <summary>The partition's time: the UTC tick of its latest write.</summary>
    public long TimeTicks { get; init; }
}
