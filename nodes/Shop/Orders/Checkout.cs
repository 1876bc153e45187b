using Shop.Carts;

namespace Shop.Orders;

/// <summary>A customer and the cart that the customer orders: the argument of <see cref="IOrders.PlaceAsync"/>.
/// Immutable.</summary>
public sealed class Checkout
{
    /// <summary>Connects a customer with a cart.</summary>
    /// <param name="customer">The customer who orders. This checkout becomes its open checkout.</param>
    /// <param name="cart">The cart that is ordered.</param>
    public Checkout(Customer customer, Cart cart)
    {
        ArgumentNullException.ThrowIfNull(customer);
        Customer = customer;
        Cart = cart;
        customer.Checkout = this;
    }

    /// <summary>The customer who orders.</summary>
    public Customer Customer { get; }

    /// <summary>The cart that is ordered.</summary>
    public Cart Cart { get; }
}
