using Cluster.StateStore;

namespace Shop.Carts;

/// <summary>Keeps carts as a state of the cluster: the owner of a session's key holds its cart in a pile. Stateless;
/// thread-safe.</summary>
internal sealed class StateCart(IPartitionedState<string, Cart> carts) : ICart
{
    public ValueTask<Cart?> GetAsync(string session, CancellationToken cancellationToken) =>
        carts.GetAsync(session, cancellationToken);

    public ValueTask<CartTotals> AddLineAsync(
        string session, string package, int quantity, CancellationToken cancellationToken) =>
        carts.UpdateAsync(session, new AddLine(session, package, quantity), cancellationToken);

    public ValueTask<bool> RemoveAsync(string session, CancellationToken cancellationToken) =>
        carts.RemoveAsync(session, cancellationToken);
}
