namespace Cluster.Nodes.Stores.Files;

/// <summary>A node's announcement in the file store: the lock of its incarnation, and the coordinator's lease when it
/// has one. Disposing it proves to all processes that this incarnation has ended, so it must be the last thing the node
/// does. A private lock protects its state.</summary>
internal sealed class FileRegistration(FileClusterStore store, NodeId node, NodeLock life, LockWait wait)
    : INodeRegistration
{
    private readonly Lock _lock = new();
    private readonly SemaphoreSlim _beating = new(1, 1);
    private FileCoordinatorLease? _lease;
    private bool _isWithdrawn;

    public NodeId Node => node;

    public async ValueTask BeatAsync(CancellationToken cancellationToken)
    {
        await _beating.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            lock (_lock)
                ObjectDisposedException.ThrowIf(_isWithdrawn, this);
            await FileErrors.TranslateAsync(
                store.Description, () => life.EnsureAnnouncedAsync(wait, cancellationToken)).ConfigureAwait(false);
        }
        finally
        {
            _beating.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        FileCoordinatorLease? lease;
        lock (_lock)
        {
            if (_isWithdrawn)
                return;
            _isWithdrawn = true;
            lease = _lease;
        }

        lease?.Release();
        await _beating.WaitAsync().ConfigureAwait(false);
        life.Dispose();
        _beating.Release();
        store.Forget(this);
    }

    /// <summary>Ties a lease to this registration; releases the lease at once when the registration has
    /// ended.</summary>
    public FileCoordinatorLease? Attach(FileCoordinatorLease lease)
    {
        lock (_lock)
        {
            if (!_isWithdrawn)
                return _lease = lease;
        }

        lease.Release();
        return null;
    }
}
