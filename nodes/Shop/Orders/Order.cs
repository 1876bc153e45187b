namespace Shop.Orders;

/// <summary>A placed order with its lines and its customer, who refers back to it. Immutable once built.</summary>
public sealed class Order
{
    internal Order(string node, long number, Customer customer, int lineCount)
    {
        Node = node;
        Number = number;
        Customer = customer;
        Lines = new OrderLine[lineCount];
    }

    /// <summary>The name of the node that took it.</summary>
    public string Node { get; }

    /// <summary>Counts the orders of that node since it started, from one.</summary>
    public long Number { get; }

    /// <summary>Who ordered.</summary>
    public Customer Customer { get; }

    /// <summary>One line per package, in the cart's order.</summary>
    public OrderLine[] Lines { get; }

    /// <summary>Disk space of everything ordered, in KiB.</summary>
    public long InstalledKibibytes => Lines.Sum(static line => (long)line.Package.InstalledKibibytes * line.Quantity);
}
