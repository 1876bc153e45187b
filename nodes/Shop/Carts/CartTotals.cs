namespace Shop.Carts;

/// <summary>The totals of a cart after a change. Immutable.</summary>
public sealed class CartTotals
{
    internal CartTotals(int revision, int lineCount, int quantity)
    {
        Revision = revision;
        LineCount = lineCount;
        Quantity = quantity;
    }

    /// <summary>The number of changes that the cart has had, including this one.</summary>
    public int Revision { get; }

    /// <summary>The number of different packages in the cart.</summary>
    public int LineCount { get; }

    /// <summary>The sum of all quantities.</summary>
    public int Quantity { get; }
}
