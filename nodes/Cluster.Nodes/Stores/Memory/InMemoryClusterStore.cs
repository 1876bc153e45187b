using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Stores.Memory;

/// <summary>The cluster store of nodes that share one process: everything is gone with the process, nothing can fail.
/// Each node has its own store over the hub they share, which owns and protects the data.</summary>
public sealed class InMemoryClusterStore : IRestorableClusterStore
{
    /// <summary>How long one wait for a change lasts at most.</summary>
    internal static readonly TimeSpan WatchWait = TimeSpan.FromSeconds(30);

    private readonly InMemoryClusterHub _hub;
    private readonly string _clusterName;
    private readonly StoreIdentity _identity = new();
    private readonly TimeProvider _time;
    private volatile bool _isDisposed;

    /// <summary>Opens the store of one node.</summary>
    /// <param name="hub">What the nodes of this process share.</param>
    /// <param name="clusterName">The cluster; others in the same hub are not seen.</param>
    /// <param name="time">Bounds the waits.</param>
    public InMemoryClusterStore(InMemoryClusterHub hub, string clusterName, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(hub);
        ArgumentNullException.ThrowIfNull(time);
        ClusterStoreRules.CheckName(clusterName);
        _hub = hub;
        _clusterName = clusterName;
        _time = time;
    }

    /// <inheritdoc />
    public bool IsRestoredByNodes => true;

    /// <inheritdoc />
    public string Description => $"in-memory store of cluster '{_clusterName}'";

    /// <inheritdoc />
    public ValueTask<ClusterMeta?> ReadMetaAsync(CancellationToken cancellationToken)
    {
        return ValueTask.FromResult(Open(cancellationToken).Meta);
    }

    /// <inheritdoc />
    public ValueTask<ClusterMeta> CreateAsync(ClusterMeta proposed, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckProposal(proposed, _clusterName);
        var cluster = Open(cancellationToken);
        if (cluster.Meta is null)
            _identity.Check(proposed.ClusterId, Description);
        return ValueTask.FromResult(_identity.Check(cluster.Create(proposed), Description));
    }

    /// <inheritdoc />
    public ValueTask<bool> RestoreAsync(ClusterMeta meta, ClusterTable table, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckProposal(meta, _clusterName);
        ArgumentNullException.ThrowIfNull(table);
        var cluster = Open(cancellationToken);
        _identity.Check(meta, Description);
        return ValueTask.FromResult(cluster.TryRestore(meta, table));
    }

    /// <inheritdoc />
    public ValueTask<ClusterTable> ReadTableAsync(TableConsistency consistency, CancellationToken cancellationToken)
    {
        return ValueTask.FromResult(Open(cancellationToken).Table ?? throw _identity.DescribeMissing(Description));
    }

    /// <summary>Reads the version. There is no digest: the table itself is in this process.</summary>
    /// <param name="consistency">Has no effect here.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public ValueTask<TableStamp> ReadStampAsync(TableConsistency consistency, CancellationToken cancellationToken)
    {
        var table = Open(cancellationToken).Table ?? throw _identity.DescribeMissing(Description);
        return ValueTask.FromResult(StampOf(table));
    }

    /// <inheritdoc />
    public ValueTask<SwapOutcome> CompareAndSwapAsync(
        ClusterTable successor, ICoordinatorLease? coordinator, CancellationToken cancellationToken)
    {
        ClusterStoreRules.CheckSuccessor(successor);
        var cluster = Open(cancellationToken);
        var lease = coordinator as InMemoryCoordinatorLease;
        if (coordinator is not null && lease?.Cluster.Name != _clusterName)
            throw StoreErrors.ForeignLease(nameof(coordinator));

        var outcome = cluster.Swap(successor, lease);
        return ValueTask.FromResult(outcome ?? throw _identity.DescribeMissing(Description));
    }

    /// <inheritdoc />
    public async ValueTask<TableStamp> WaitForChangeAsync(long knownVersion, CancellationToken cancellationToken)
    {
        var (table, changed) = Open(cancellationToken).Observe();
        if (table is null)
            throw _identity.DescribeMissing(Description);
        if (table.Version > knownVersion)
            return StampOf(table);
        try
        {
            await changed.WaitAsync(WatchWait, _time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The wait's limit has passed without a change, which the caller sees from the version.
        }

        return StampOf(Open(cancellationToken).Table ?? throw _identity.DescribeMissing(Description));
    }

    /// <inheritdoc />
    public ValueTask<INodeRegistration> RegisterAsync(NodeId node, string address, CancellationToken cancellationToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(address);
        var cluster = Open(cancellationToken);
        if (!cluster.TryRegister(node))
            throw StoreErrors.AlreadyRegistered(node);
        return ValueTask.FromResult<INodeRegistration>(
            new InMemoryRegistration(() => _hub.ClusterOf(_clusterName), cluster, node));
    }

    /// <inheritdoc />
    public ValueTask<ICoordinatorLease?> TryAcquireCoordinatorAsync(NodeId node, CancellationToken cancellationToken)
    {
        var cluster = Open(cancellationToken);
        if (cluster.Meta is null)
            throw _identity.DescribeMissing(Description);
        if (!cluster.IsRegistered(node))
            throw StoreErrors.NotRegistered(node);
        return ValueTask.FromResult<ICoordinatorLease?>(cluster.TryAcquire(node));
    }

    /// <inheritdoc />
    public ValueTask<bool> IsProvenDeadAsync(NodeId node, CancellationToken cancellationToken)
    {
        return ValueTask.FromResult(Open(cancellationToken).HasEnded(node));
    }

    /// <summary>Closes this node's store; the hub keeps the clusters. Registrations and leases are ended by their own
    /// disposal.</summary>
    public ValueTask DisposeAsync()
    {
        _isDisposed = true;
        return ValueTask.CompletedTask;
    }

    private static TableStamp StampOf(ClusterTable table) => new(table.Version, null);

    private InMemoryCluster Open(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        var cluster = _hub.ClusterOf(_clusterName);
        if (cluster.Meta is { } meta)
            _identity.Check(meta, Description);
        return cluster;
    }
}
