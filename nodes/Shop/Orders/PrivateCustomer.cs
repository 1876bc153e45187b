namespace Shop.Orders;

/// <summary>A person who orders. Not thread-safe.</summary>
public sealed class PrivateCustomer : Customer
{
    /// <summary>States a person.</summary>
    /// <param name="name">How to address the person.</param>
    /// <param name="loyaltyPoints">Earned so far.</param>
    public PrivateCustomer(string name, int loyaltyPoints)
        : base(name) => LoyaltyPoints = loyaltyPoints;

    /// <summary>Earned so far.</summary>
    public int LoyaltyPoints { get; internal set; }
}
