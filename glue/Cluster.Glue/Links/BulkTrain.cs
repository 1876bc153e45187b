namespace Cluster.Glue.Links;

/// <summary>
/// Transfers that keep their order among each other: a large one-way call and what the same proxy sends after it. Any
/// other transfer is a train of its own. Guarded by the lock of its sender.
/// </summary>
internal sealed class BulkTrain
{
    private readonly Queue<OutgoingTransfer> _transfers = new();

    public bool IsEmpty => _transfers.Count == 0;

    public OutgoingTransfer First => _transfers.Peek();

    public IEnumerable<OutgoingTransfer> All => _transfers;

    /// <summary>The batch of the lane that carries the end of what was sent last.</summary>
    public ulong LastBatch { get; set; }

    public void Add(OutgoingTransfer transfer) => _transfers.Enqueue(transfer);

    public void RemoveFirst() => _transfers.Dequeue();
}
