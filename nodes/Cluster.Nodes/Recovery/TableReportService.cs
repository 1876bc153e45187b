using Cluster.Nodes.Deltas;
using Cluster.Nodes.Watching;

namespace Cluster.Nodes.Recovery;

/// <summary>Answers <see cref="ITableReports"/> for this node. Stateless.</summary>
internal sealed class TableReportService(RecentTables tables, StoreReachability reachability) : ITableReports
{
    public ValueTask<TableReport> GetAsync(CancellationToken cancellationToken)
    {
        // The store comes first: a node that finds it emptied learns of no newer table from it.
        var findsStoreEmptied = reachability.EmptiedFor is not null;
        return new(new TableReport
        {
            Incarnation = tables.View.Self?.Incarnation ?? Guid.Empty,
            ClusterId = tables.ClusterId,
            TableVersion = tables.View.Current.Version,
            FindsStoreEmptied = findsStoreEmptied,
        });
    }
}
