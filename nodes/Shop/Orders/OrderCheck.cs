using Shop.Carts;

namespace Shop.Orders;

/// <summary>Checks that an order matches the cart and the customer, and that its references are intact.
/// Stateless.</summary>
public static class OrderCheck
{
    /// <summary>Describes the first problem of an order; <c>null</c> if there is none.</summary>
    /// <param name="order">The result of <see cref="IOrders.PlaceAsync"/>.</param>
    /// <param name="cart">The cart that was ordered.</param>
    /// <param name="customer">The customer who ordered it.</param>
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
