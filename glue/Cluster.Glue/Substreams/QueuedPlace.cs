namespace Cluster.Glue.Substreams;

/// <summary>The place of a queued call, used to take the call back before it is written. Immutable.</summary>
/// <param name="Batch">The batch; null: the call cannot be taken out of a batch.</param>
/// <param name="Ticket">The ticket of the batch. The object may be reused for another batch.</param>
/// <param name="Offset">The offset of the envelope in the batch.</param>
/// <param name="Length">The length of the envelope in bytes.</param>
internal readonly record struct QueuedPlace(QueuedBatch? Batch, ulong Ticket, int Offset, int Length)
{
    /// <summary>Whether the call is sent by the bulk sender.</summary>
    public bool IsBulk { get; init; }
}
