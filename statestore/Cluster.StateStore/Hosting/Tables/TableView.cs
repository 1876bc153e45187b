using System.Threading.Channels;

namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The newest table that this process knows, with the routes that redirects have told since. Readers take a
/// frozen snapshot without a lock; writers replace it under a private lock. Suggested routes last until a table
/// replaces them.</summary>
public sealed class TableView : ITableView
{
    private readonly Lock _lock = new();
    private volatile Snapshot _snapshot;
    private TaskCompletionSource _newer = NewSignal();

    // One hint is enough: the table that it leads to is newer than those of the hints before.
    private readonly Channel<(ClusterMember Owner, long Version)> _hints =
        Channel.CreateBounded<(ClusterMember, long)>(
            new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest });

    /// <summary>Makes a view that starts with a table.</summary>
    /// <param name="self">This node, or null in a process that only calls.</param>
    /// <param name="table">The first table.</param>
    public TableView(NodeId? self, ClusterTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        Self = self;
        _snapshot = Snapshot.Create(table, null);
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
            _snapshot = Snapshot.Create(table, _snapshot);
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

            // Most waits end by their token, so that one exception is thrown instead of two.
            await newer.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Waits until an answer shows that this view is more than one version behind.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The owner that the answer named, which can tell what has changed, and the version of the
    /// answer.</returns>
    public ValueTask<(ClusterMember Owner, long Version)> WaitForHintAsync(CancellationToken cancellationToken) =>
        _hints.Reader.ReadAsync(cancellationToken);

    /// <inheritdoc />
    public void Suggest(PartitionId partition, PartitionRoute route, long tableVersion)
    {
        ArgumentNullException.ThrowIfNull(route);
        lock (_lock)
        {
            if (tableVersion <= _snapshot.Table.Version || partition.Value >= _snapshot.Table.Partitions.Length)
                return;
            if (route.Entry.Epoch <= _snapshot.RouteOf(partition).Entry.Epoch)
                return;
            _snapshot = _snapshot.With(partition, route);
            if (route.Owner is { } owner && tableVersion > _snapshot.Table.Version + 1)
                _hints.Writer.TryWrite((owner, tableVersion));
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>One table with a ready route per partition, so that routing a request is one array read. Frozen once
    /// published; a change copies it.</summary>
    private sealed class Snapshot
    {
        private readonly PartitionRoute[] _routes;

        private Snapshot(ClusterTable table, PartitionRoute[] routes)
        {
            Table = table;
            _routes = routes;
        }

        public ClusterTable Table { get; }

        public static Snapshot Create(ClusterTable table, Snapshot? previous)
        {
            var members = table.Members.ToDictionary(member => member.Slot);
            var routes = new PartitionRoute[table.Partitions.Length];
            for (var index = 0; index < routes.Length; index++)
            {
                var entry = table.Partitions[index];
                var owner = entry.Primary is { } slot ? members.GetValueOrDefault(slot) : null;
                var known = previous is not null && index < previous._routes.Length ? previous._routes[index] : null;

                // Most partitions do not change from one table to the next. Their route objects are kept, so that they
                // stay out of the young heap.
                var isSame = known is not null && ReferenceEquals(known.Entry, entry)
                    && ReferenceEquals(known.Owner, owner);
                routes[index] = isSame ? known! : new PartitionRoute(entry, owner);
            }

            return new Snapshot(table, routes);
        }

        public PartitionRoute RouteOf(PartitionId partition) =>
            partition.Value < _routes.Length ? _routes[partition.Value] : PartitionRoute.Nowhere;

        public Snapshot With(PartitionId partition, PartitionRoute route)
        {
            var routes = (PartitionRoute[])_routes.Clone();
            routes[partition.Value] = route;
            return new Snapshot(Table, routes);
        }
    }
}
