using Shop.Catalog;

namespace Shop.Orders;

/// <summary>One package of an order. Immutable.</summary>
public sealed class OrderLine
{
    internal OrderLine(Order order, Package package, int quantity)
    {
        Order = order;
        Package = package;
        Quantity = quantity;
    }

    /// <summary>The order it belongs to.</summary>
    public Order Order { get; }

    /// <summary>The package as the node's catalog has it, without its references.</summary>
    public Package Package { get; }

    /// <summary>How many of it.</summary>
    public int Quantity { get; }
}
