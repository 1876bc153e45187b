namespace Shop.Carts;

/// <summary>The carts of all sessions. The caller need not know which node keeps a cart.</summary>
public interface ICart
{
    /// <summary>Returns a copy of a session's cart, or <c>null</c> if the session has none.</summary>
    /// <param name="session">The session that the cart belongs to.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<Cart?> GetAsync(string session, CancellationToken cancellationToken = default);

    /// <summary>Adds a package to a session's cart, atomically.</summary>
    /// <param name="session">The session that the cart belongs to. The first package creates the cart.</param>
    /// <param name="package">The package's name.</param>
    /// <param name="quantity">The number of copies of the package; at least one.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<CartTotals> AddLineAsync(
        string session, string package, int quantity, CancellationToken cancellationToken = default);

    /// <summary>Removes a session's cart.</summary>
    /// <param name="session">The session that the cart belongs to.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether the session had a cart.</returns>
    ValueTask<bool> RemoveAsync(string session, CancellationToken cancellationToken = default);
}
