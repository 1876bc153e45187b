using Shop.Carts;

namespace Shop.Orders;

/// <summary>A cart on its way to becoming an order: the argument of <see cref="IOrders.PlaceAsync"/>.
/// Immutable.</summary>
public sealed class Checkout
{
    /// <summary>Brings a customer and a cart together.</summary>
    /// <param name="customer">Who orders; refers to this checkout from now on.</param>
    /// <param name="cart">What is ordered.</param>
    public Checkout(Customer customer, Cart cart)
    {
        ArgumentNullException.ThrowIfNull(customer);
        Customer = customer;
        Cart = cart;
        customer.Checkout = this;
    }

    /// <summary>Who orders.</summary>
    public Customer Customer { get; }

    /// <summary>What is ordered.</summary>
    public Cart Cart { get; }
}
