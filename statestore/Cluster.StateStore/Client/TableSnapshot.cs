using Cluster.Contracts;
using Cluster.StateStore.Partitions;

namespace Cluster.StateStore.Client;

/// <summary>
/// One table with a ready route per partition, so that routing a request is one array read. Frozen once published;
/// a change copies it.
/// </summary>
internal sealed class TableSnapshot
{
    private readonly PartitionRoute[] _routes;

    private TableSnapshot(ClusterTable table, PartitionRoute[] routes)
    {
        Table = table;
        _routes = routes;
    }

    public ClusterTable Table { get; }

    public static TableSnapshot Create(ClusterTable table, TableSnapshot? previous)
    {
        var members = table.Members.ToDictionary(member => member.Slot);
        var routes = new PartitionRoute[table.Partitions.Length];
        for (var index = 0; index < routes.Length; index++)
        {
            var entry = table.Partitions[index];
            var owner = entry.Primary is { } slot ? members.GetValueOrDefault(slot) : null;
            var known = previous is not null && index < previous._routes.Length ? previous._routes[index] : null;

            // Most partitions do not change from one table to the next: keeping the object keeps them out of the
            // young heap.
            var isSame = known is not null && ReferenceEquals(known.Entry, entry)
                && ReferenceEquals(known.Owner, owner);
            routes[index] = isSame ? known! : new PartitionRoute(entry, owner);
        }

        return new TableSnapshot(table, routes);
    }

    public PartitionRoute RouteOf(PartitionId partition) => _routes[partition.Value];

    public TableSnapshot With(PartitionId partition, PartitionRoute route)
    {
        var routes = (PartitionRoute[])_routes.Clone();
        routes[partition.Value] = route;
        return new TableSnapshot(Table, routes);
    }
}
