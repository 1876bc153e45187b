namespace Shop.Orders;

/// <summary>A person who orders. Not thread-safe.</summary>
/// <remarks>States a person.</remarks>
/// <param name="name">How to address the person.</param>
/// <param name="loyaltyPoints">Earned so far.</param>
public sealed class PrivateCustomer(string name, int loyaltyPoints) : Customer(name)
{

    /// <summary>Earned so far.</summary>
    public int LoyaltyPoints { get; internal set; } = loyaltyPoints;
}
