namespace Shop.Orders;

/// <summary>A customer. The customer and its open checkout refer to each other: a cycle in every order message. Not
/// thread-safe.</summary>
public abstract class Customer
{
    private protected Customer(string name) => Name = name;

    /// <summary>The name that is used to address the customer.</summary>
    public string Name { get; }

    /// <summary>The open checkout; <c>null</c> if there is none.</summary>
    public Checkout? Checkout { get; internal set; }

    /// <summary>The orders that this object has received, the newest last.</summary>
    public List<Order> Orders { get; } = [];
}
