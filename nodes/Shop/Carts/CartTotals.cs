namespace Shop.Carts;

/// <summary>What a cart amounts to after a change. Immutable.</summary>
public sealed class CartTotals
{
    internal CartTotals(int revision, int lineCount, int quantity)
    {
        Revision = revision;
        LineCount = lineCount;
        Quantity = quantity;
    }

    /// <summary>How many changes the cart has seen, this one included.</summary>
    public int Revision { get; }

    /// <summary>How many different packages it holds.</summary>
    public int LineCount { get; }

    /// <summary>The sum of all quantities.</summary>
    public int Quantity { get; }
}
