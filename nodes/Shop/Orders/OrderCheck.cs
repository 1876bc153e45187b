using Shop.Carts;

namespace Shop.Orders;

/// <summary>Tells whether an order is the one that was placed and whether its references are intact.
/// Stateless.</summary>
public static class OrderCheck
{
    /// <summary>What is wrong with an order, or <c>null</c>.</summary>
    /// <param name="order">What <see cref="IOrders.PlaceAsync"/> returned.</param>
    /// <param name="cart">The cart that was ordered.</param>
    /// <param name="customer">Who ordered it.</param>
    public static string? FindProblem(Order? order, Cart cart, Customer customer)
    {
        if (order is null)
            return "is missing";

        if (order.Customer.GetType() != customer.GetType() || order.Customer.Name != customer.Name)
            return $"is for {order.Customer.Name}, a {order.Customer.GetType().Name}";

        if (order.Customer.Orders is not [.., var newest] || newest != order)
            return "is not the newest order of its customer";

        return order.Lines.Length != cart.Lines.Count ? $"has {order.Lines.Length} lines" : LineProblem(order, cart);
    }

    private static string? LineProblem(Order order, Cart cart)
    {
        for (var index = 0; index < order.Lines.Length; index++)
        {
            var (ordered, wanted) = (order.Lines[index], cart.Lines[index]);
            var isSame = ordered.Package.Name == wanted.Package && ordered.Quantity == wanted.Quantity;
            if (ordered.Order != order || !isSame)
                return $"has {ordered.Quantity} of {ordered.Package.Name} in line {index + 1}";
        }

        return null;
    }
}
