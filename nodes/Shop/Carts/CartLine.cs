namespace Shop.Carts;

/// <summary>One package in a cart. Only its cart changes it.</summary>
public sealed class CartLine
{
    internal CartLine(Cart cart, string package, int quantity)
    {
        Cart = cart;
        Package = package;
        Quantity = quantity;
    }

    /// <summary>The cart that the line belongs to.</summary>
    public Cart Cart { get; }

    /// <summary>The package's name.</summary>
    public string Package { get; }

    /// <summary>The number of copies of the package.</summary>
    public int Quantity { get; private set; }

    internal void Add(int quantity) => Quantity = checked(Quantity + quantity);
}
