namespace Cluster.Glue.Substreams;

/// <summary>Where a call lies that was queued, to take it back before it is written. Immutable.</summary>
/// <param name="Batch">The batch; null: it cannot be taken out of one.</param>
/// <param name="Ticket">Of the batch: the object may carry another one since.</param>
/// <param name="Offset">Of the envelope in the batch.</param>
/// <param name="Length">Of the envelope.</param>
internal readonly record struct QueuedPlace(QueuedBatch? Batch, ulong Ticket, int Offset, int Length)
{
    /// <summary>It travels as a large envelope does.</summary>
    public bool IsBulk { get; init; }
}
