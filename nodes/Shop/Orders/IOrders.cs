namespace Shop.Orders;

/// <summary>Takes orders. Every node serves it. A node does not keep an order after it has returned it.</summary>
public interface IOrders
{
    /// <summary>Turns a cart into an order.</summary>
    /// <param name="checkout">The cart with its customer.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <returns>The order; its customer is a copy of the given one.</returns>
    /// <exception cref="ArgumentException">The cart is empty or names a package that does not exist.</exception>
    Task<Order> PlaceAsync(Checkout checkout, CancellationToken cancellationToken = default);
}
