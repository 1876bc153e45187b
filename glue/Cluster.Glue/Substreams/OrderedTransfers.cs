namespace Cluster.Glue.Substreams;

/// <summary>Transfers that are sent in order: a large one-way call and the later calls of the same proxy. Any other
/// transfer has an object for itself. Guarded by the lock of its sender.</summary>
internal sealed class OrderedTransfers
{
    private readonly LinkedList<OutgoingTransfer> _transfers = new();

    public OrderedTransfers() => Node = new LinkedListNode<OrderedTransfers>(this);

    /// <summary>The place in the sender's list of waiting or of active orders.</summary>
    public LinkedListNode<OrderedTransfers> Node { get; }

    public bool IsEmpty => _transfers.Count == 0;

    public OutgoingTransfer First => _transfers.First!.Value;

    public IEnumerable<OutgoingTransfer> All => _transfers;

    /// <summary>The ticket of the batch that holds the end of the transfer sent last.</summary>
    public ulong LastTicket { get; set; }

    public void Add(OutgoingTransfer transfer)
    {
        transfer.Order = this;
        transfer.Node = _transfers.AddLast(transfer);
    }

    public void Remove(OutgoingTransfer transfer)
    {
        _transfers.Remove(transfer.Node!);
        transfer.Node = null;
    }
}
