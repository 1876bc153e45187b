namespace Shop.Orders;

/// <summary>A placed order with its lines and its customer. The customer refers back to the order. Immutable once
/// built.</summary>
public sealed class Order
{
    internal Order(string node, long number, Customer customer, int lineCount)
    {
        Node = node;
        Number = number;
        Customer = customer;
        Lines = new OrderLine[lineCount];
    }

    /// <summary>The name of the node that took the order.</summary>
    public string Node { get; }

    /// <summary>The number of the order. Each node counts its orders from one since it started.</summary>
    public long Number { get; }

    /// <summary>The customer who ordered.</summary>
    public Customer Customer { get; }

    /// <summary>One line for each package, in the cart's order.</summary>
    public OrderLine[] Lines { get; }

    /// <summary>Disk space of all ordered packages, in KiB.</summary>
    public long InstalledKibibytes => Lines.Sum(static line => (long)line.Package.InstalledKibibytes * line.Quantity);
}
