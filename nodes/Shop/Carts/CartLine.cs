namespace Shop.Carts;

/// <summary>One package in a cart. Changed only through its cart.</summary>
public sealed class CartLine
{
    internal CartLine(Cart cart, string package, int quantity)
    {
        Cart = cart;
        Package = package;
        Quantity = quantity;
    }

    /// <summary>The cart it is in.</summary>
    public Cart Cart { get; }

    /// <summary>The package's name.</summary>
    public string Package { get; }

    /// <summary>How many of it.</summary>
    public int Quantity { get; private set; }

    internal void Add(int quantity) => Quantity = checked(Quantity + quantity);
}
