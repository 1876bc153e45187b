using Cluster.StateStore;

namespace Shop.Carts;

/// <summary>Puts a package into a session's cart, which comes into being with the first one. Travels to the cart's
/// owner and runs there, once. Immutable.</summary>
/// <remarks>States what to add.</remarks>
/// <param name="session">Whose cart.</param>
/// <param name="package">The package's name.</param>
/// <param name="quantity">How many; at least one.</param>
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
