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

    /// <summary>The order that the line belongs to.</summary>
    public Order Order { get; }

    /// <summary>A copy of the package from the node's catalog, without its references.</summary>
    public Package Package { get; }

    /// <summary>The number of copies of the package.</summary>
    public int Quantity { get; }
}
