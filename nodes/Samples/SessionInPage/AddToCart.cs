using Cluster.StateStore;

namespace SessionInPage;

/// <summary>Puts one piece of a product into the cart. It runs on the node that owns the session, so two requests at
/// once both count.</summary>
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
