namespace Shop.Orders;

/// <summary>Who orders. It knows its open checkout, which knows it: a cycle in every order message. Not
/// thread-safe.</summary>
public abstract class Customer
{
    private protected Customer(string name) => Name = name;

    /// <summary>How to address the customer.</summary>
    public string Name { get; }

    /// <summary>The checkout under way.</summary>
    public Checkout? Checkout { get; internal set; }

    /// <summary>The orders of this conversation, the newest last.</summary>
    public List<Order> Orders { get; } = [];
}
