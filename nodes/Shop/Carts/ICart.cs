namespace Shop.Carts;

/// <summary>The carts of all sessions, wherever in the cluster they are kept.</summary>
public interface ICart
{
    /// <summary>A copy of a session's cart, or <c>null</c> when it has none.</summary>
    /// <param name="session">Whose cart.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<Cart?> GetAsync(string session, CancellationToken cancellationToken = default);

    /// <summary>Puts a package into a session's cart, atomically.</summary>
    /// <param name="session">Whose cart; it comes into being with the first package.</param>
    /// <param name="package">The package's name.</param>
    /// <param name="quantity">How many; at least one.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<CartTotals> AddLineAsync(
        string session, string package, int quantity, CancellationToken cancellationToken = default);

    /// <summary>Throws a session's cart away.</summary>
    /// <param name="session">Whose cart.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there was one.</returns>
    ValueTask<bool> RemoveAsync(string session, CancellationToken cancellationToken = default);
}
