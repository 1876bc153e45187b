using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Tests.Docs;

// <snippet:types>
/// <summary>A typed value of a session: any class. It needs no attributes.</summary>
public sealed class Cart
{
    /// <summary>How many of each product.</summary>
    public Dictionary<string, int> Counts { get; } = [];
}

/// <summary>Runs on the node that owns the session, while no other write of the session runs.</summary>
/// <param name="product">The product.</param>
public sealed class AddToCart(string product) : IStateOperation<Cart, int>
{
    /// <inheritdoc />
    public int Apply(ref Cart? cart, in OperationContext context)
    {
        cart ??= new Cart();
        return cart.Counts[product] = cart.Counts.GetValueOrDefault(product) + 1;
    }
}
// </snippet:types>
