using Cluster.StateStore;

namespace Shop.Carts;

/// <summary>The operation that adds a package to a session's cart. The first call creates the cart. The operation
/// travels to the node that owns the cart and runs there once. Immutable.</summary>
/// <remarks>States what to add.</remarks>
/// <param name="session">The session that the cart belongs to.</param>
/// <param name="package">The package's name.</param>
/// <param name="quantity">The number of copies of the package; at least one.</param>
public sealed class AddLine(string session, string package, int quantity) : IStateOperation<Cart, CartTotals>
{
    private readonly string _session = session;
    private readonly string _package = package;
    private readonly int _quantity = quantity;

    /// <inheritdoc />
    public CartTotals Apply(ref Cart? state, in OperationContext context)
    {
        state ??= new Cart(_session);
        state.Add(_package, _quantity);
        return new CartTotals(state.Revision, state.Lines.Count, state.Quantity);
    }
}
