using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>A typed value of sessions.</summary>
public sealed class Basket
{
    /// <summary>The lines.</summary>
    public List<BasketLine> Lines { get; } = [];
}

/// <summary>A line of a basket, or a kind of it.</summary>
public record BasketLine(string Product, int Count);

/// <summary>A line with a price.</summary>
public sealed record PricedLine(string Product, int Count, decimal Price) : BasketLine(Product, Count);

/// <summary>Adds a line and gives their number.</summary>
public sealed class AddBasketLine(BasketLine line) : IStateOperation<Basket, int>
{
    /// <inheritdoc />
    public int Apply(ref Basket? basket, in OperationContext context)
    {
        basket ??= new Basket();
        basket.Lines.Add(line);
        return basket.Lines.Count;
    }
}

/// <summary>Fails.</summary>
public sealed class FailBasket : IStateOperation<Basket, string?>
{
    /// <inheritdoc />
    public string? Apply(ref Basket? basket, in OperationContext context)
    {
        basket!.Lines.Clear();
        throw new InvalidOperationException("The basket is full.");
    }
}

/// <summary>Gives the last line, if there is one, and removes an empty basket.</summary>
public sealed class TakeBasketLine : IStateOperation<Basket, BasketLine?>
{
    /// <inheritdoc />
    public BasketLine? Apply(ref Basket? basket, in OperationContext context)
    {
        var last = basket?.Lines.LastOrDefault();
        basket?.Lines.Remove(last!);
        if (basket?.Lines.Count == 0)
            basket = null;
        return last;
    }
}
