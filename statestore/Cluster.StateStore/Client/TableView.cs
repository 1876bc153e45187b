using Cluster.Contracts;
using Cluster.StateStore.Partitions;

namespace Cluster.StateStore.Client;

/// <summary>
/// The newest table that this process knows, with the routes that redirects have told since. Readers take a frozen
/// snapshot without a lock; writers replace it under a private lock. Suggested routes last until a table replaces them.
/// </summary>
public sealed class TableView : ITableView
{
    private readonly Lock _lock = new();
    private volatile TableSnapshot _snapshot;
    private TaskCompletionSource _newer = NewSignal();

    /// <summary>Makes a view that starts with a table.</summary>
    /// <param name="self">This node, or null in a process that only calls.</param>
    /// <param name="table">The first table.</param>
    public TableView(NodeId? self, ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        Self = self;
        _snapshot = TableSnapshot.Create(table, null);
    }

    /// <inheritdoc />
    public NodeId? Self { get; }

    /// <inheritdoc />
    public ClusterTable Current => _snapshot.Table;

    /// <inheritdoc />
    public PartitionRoute RouteOf(PartitionId partition) => _snapshot.RouteOf(partition);

    /// <summary>Replaces the table by a newer one and wakes who waits for it.</summary>
    /// <param name="table">The table.</param>
    /// <returns>False when the view already has this version or a newer one.</returns>
    public bool Publish(ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        TaskCompletionSource newer;
        lock (_lock)
        {
            if (table.Version <= _snapshot.Table.Version)
                return false;
            _snapshot = TableSnapshot.Create(table, _snapshot);
            newer = _newer;
            _newer = NewSignal();
        }

        newer.TrySetResult();
        return true;
    }

    /// <inheritdoc />
    public async ValueTask<ClusterTable> WaitForNewerAsync(long version, CancellationToken cancellationToken)
    {
        while (true)
        {
            Task newer;
            lock (_lock)
            {
                if (_snapshot.Table.Version > version)
                    return _snapshot.Table;
                newer = _newer.Task;
            }

            await newer.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc />
    public void Suggest(PartitionId partition, PartitionRoute route, long tableVersion)
    {
        ArgumentNullException.ThrowIfNull(route);
        lock (_lock)
        {
            if (tableVersion <= _snapshot.Table.Version)
                return;
            if (route.Entry.Epoch <= _snapshot.RouteOf(partition).Entry.Epoch)
                return;
            _snapshot = _snapshot.With(partition, route);
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
