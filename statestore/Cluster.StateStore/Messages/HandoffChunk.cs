namespace Cluster.StateStore.Messages;

/// <summary>One piece of a partition on its way to another node. Chunks of a transfer are sent one after the
/// other.</summary>
public sealed class HandoffChunk
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>The identity of the sender's cluster. The store of another cluster refuses the chunk.</summary>
    public Guid ClusterId { get; init; }

    /// <summary>The incarnation of the node that sends. Only the same node may replace a transfer of the same
    /// epoch.</summary>
    public Guid Source { get; init; }

    /// <summary>The transfer, new for each attempt.</summary>
    public Guid TransferId { get; init; }

    /// <summary>The partition.</summary>
    public int Partition { get; init; }

    /// <summary>The epoch at which the sender holds the partition.</summary>
    public long Epoch { get; init; }

    /// <summary>Counts the chunks of the transfer from zero.</summary>
    public int Sequence { get; init; }

    /// <summary>The states whose records may follow, with the layouts of their values; in the first chunk.</summary>
    public HandoffState[]? States { get; init; }

    /// <summary>Records, one after the other, laid out as in <c>docs/formats/state-record.md</c>.</summary>
    public byte[] Records { get; init; } = [];

    /// <summary>How many records the chunk holds.</summary>
    public int RecordCount { get; init; }

    /// <summary>What the sender's clock showed, as a UTC tick, when it read these records: the receiver takes from it
    /// how long each of them has still to live, and does not compare the two clocks.</summary>
    public long ClockTicks { get; init; }

    /// <summary>XXH3-64 of the records, with the sequence number as seed.</summary>
    public ulong Checksum { get; init; }

    /// <summary>The totals; in the last chunk.</summary>
    public HandoffTotals? Totals { get; init; }
}
