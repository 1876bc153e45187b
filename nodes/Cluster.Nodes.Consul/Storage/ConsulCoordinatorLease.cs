using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Consul.Storage;

/// <summary>The coordinator's right: a lock held by a session of its own, which ends with the node's check or with its
/// agent's machine. Owned by the node that acquired it; a volatile flag, set once, protects its state.</summary>
internal sealed class ConsulCoordinatorLease(ConsulClusterStore store, ConsulRegistration registration, string session)
    : ICoordinatorLease
{
    private volatile bool _isLost;
    private int _isDisposed;

    public ConsulClusterStore Store { get; } = store;

    public string Session { get; } = session;

    /// <summary>Whether this process already knows that the lease is gone.</summary>
    public bool IsKnownLost => _isLost;

    public async ValueTask<bool> IsHeldAsync(CancellationToken cancellationToken)
    {
        if (_isLost)
            return false;
        if (await ReadHolderAsync(cancellationToken).ConfigureAwait(false) != Session)
            _isLost = true;
        return !_isLost;
    }

    public async ValueTask DisposeAsync()
    {
        _isLost = true;
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
            await registration.EndSessionAsync(Session).ConfigureAwait(false);
    }

    public void MarkLost() => _isLost = true;

    private async ValueTask<string?> ReadHolderAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await Store.ReadCoordinatorAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (ClusterStoreException foreign) when (foreign.Kind == ClusterStoreError.Incompatible)
        {
            // Consul holds another cluster by now: this lease belongs to one that is not there any more.
            return null;
        }
    }
}
