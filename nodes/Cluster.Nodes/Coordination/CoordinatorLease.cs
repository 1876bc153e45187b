using Cluster.Nodes.Configuration;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Coordination;

/// <summary>The lease under which this node coordinates, while it holds it. One caller at a time checks it or releases
/// it; any thread may look at it.</summary>
internal sealed partial class CoordinatorLease(IClusterStore store, NodeIdentity self, LoopContext loops)
{
    private volatile ICoordinatorLease? _current;
    private volatile bool _isHeld;

    /// <summary>Whether this node held the lease when it looked last.</summary>
    public bool IsHeld => _isHeld;

    /// <summary>The lease, or null while another node coordinates.</summary>
    public ICoordinatorLease? Current
    {
        get => _current;
        private set => _current = value;
    }

    /// <summary>Checks the lease, or tries for it. Returns whether this node holds it.</summary>
    public async ValueTask<bool> HoldAsync(CancellationToken cancellationToken)
    {
        if (Current is { } held && !await held.IsHeldAsync(cancellationToken).ConfigureAwait(false))
        {
            LogLeaseLost(loops.Logger);
            await ReleaseAsync().ConfigureAwait(false);
        }

        if (Current is null)
        {
            Current = await store.TryAcquireCoordinatorAsync(self.Node, cancellationToken).ConfigureAwait(false);
            if (Current is not null)
                LogLeaseHeld(loops.Logger);
        }

        return _isHeld = Current is not null;
    }

    public async ValueTask ReleaseAsync()
    {
        _isHeld = false;
        if (Current is not { } lease)
            return;
        Current = null;
        try
        {
            await lease.DisposeAsync().ConfigureAwait(false);
        }
        catch (ClusterStoreException)
        {
            // The store does not answer; the lease ends there by itself.
        }
    }
}
