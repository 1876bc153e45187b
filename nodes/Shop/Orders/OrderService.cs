using Shop.Catalog;

namespace Shop.Orders;

/// <summary>Serves <see cref="IOrders"/> with this node's catalog, whose packages count how often they were ordered.
/// Thread-safe: the order number is atomic.</summary>
public sealed class OrderService(NodeName node, PackageCatalog catalog) : IOrders
{
    private const int PointsPerLine = 5;
    private long _lastNumber;

    /// <inheritdoc />
    public Task<Order> PlaceAsync(Checkout checkout, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(checkout);
        var lines = checkout.Cart.Lines;
        if (lines.Count == 0)
            throw new ArgumentException($"The cart of {checkout.Cart.Session} is empty.", nameof(checkout));

        var packages = lines.Select(line => Find(line.Package)).ToArray();
        var order = new Order(node.Value, Interlocked.Increment(ref _lastNumber), checkout.Customer, lines.Count);
        for (var index = 0; index < packages.Length; index++)
        {
            packages[index].CountOrder(lines[index].Quantity);
            order.Lines[index] = new OrderLine(order, packages[index].CopyWithoutReferences(), lines[index].Quantity);
        }

        Reward(checkout.Customer, lines.Count);
        checkout.Customer.Orders.Add(order);
        checkout.Customer.Checkout = null;
        return Task.FromResult(order);
    }

    private static void Reward(Customer customer, int lineCount)
    {
        var person = customer as PrivateCustomer ?? ((CompanyCustomer)customer).Contact;
        person.LoyaltyPoints += lineCount * PointsPerLine;
    }

    private Package Find(string name) =>
        catalog.Find(name) ?? throw new ArgumentException($"There is no package {name}.", nameof(name));
}
