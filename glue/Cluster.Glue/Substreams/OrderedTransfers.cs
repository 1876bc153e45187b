namespace Cluster.Glue.Substreams;

/// <summary>Transfers that keep their order among each other: a large one-way call and what the same proxy sends after
/// it. Any other transfer is an order of its own. Guarded by the lock of its sender.</summary>
internal sealed class OrderedTransfers
{
    private readonly LinkedList<OutgoingTransfer> _transfers = new();

    public OrderedTransfers() => Node = new LinkedListNode<OrderedTransfers>(this);

    /// <summary>Its place among those that wait, or that are under way.</summary>
    public LinkedListNode<OrderedTransfers> Node { get; }

    public bool IsEmpty => _transfers.Count == 0;

    public OutgoingTransfer First => _transfers.First!.Value;

    public IEnumerable<OutgoingTransfer> All => _transfers;

    /// <summary>Stands for the batch of the substream that carries the end of what was sent last.</summary>
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
