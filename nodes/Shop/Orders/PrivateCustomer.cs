namespace Shop.Orders;

/// <summary>A person who orders. Not thread-safe.</summary>
/// <remarks>States a person.</remarks>
/// <param name="name">The name that is used to address the person.</param>
/// <param name="loyaltyPoints">The points that the person has earned.</param>
public sealed class PrivateCustomer(string name, int loyaltyPoints) : Customer(name)
{

    /// <summary>The points that the person has earned. Each line of an order adds some.</summary>
    public int LoyaltyPoints { get; internal set; } = loyaltyPoints;
}
