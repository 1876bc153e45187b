using Cluster.Nodes.Deltas;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.Nodes.Tests.Watching;

/// <summary>Makes confirmed tables for tests. Stateless.</summary>
internal static class ConfirmedTables
{
    /// <summary>The identity of the cluster.</summary>
    public static readonly Guid ClusterId = new("5b0f6f6e-3a64-4a17-a1fd-61a1d20f6b3e");

    public static RecentTables Tables(TableView view)
    {
        var tables = new RecentTables(view) { ClusterId = ClusterId };
        tables.History.Add(view.Current);
        return tables;
    }

    public static ConfirmedTable Create(
        IClusterStore store, TableView view, TimeProvider time, Func<ClusterMember, ITableDeltas>? deltasOf = null)
    {
        var tables = Tables(view);
        var client = new DeltaClient(tables, deltasOf ?? (static _ => new NoDeltas()), time,
            NullLogger<DeltaClient>.Instance);
        return new ConfirmedTable(store, tables, client, Metrics(view), time);
    }

    public static NodeMetrics Metrics(TableView view)
    {
        var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        return new NodeMetrics(services.GetRequiredService<System.Diagnostics.Metrics.IMeterFactory>(), view);
    }

    /// <summary>A node that knows nothing.</summary>
    private sealed class NoDeltas : ITableDeltas
    {
        public ValueTask<byte[]> GetAsync(long fromVersion, long toVersion, CancellationToken cancellationToken) =>
            new([]);

        public ValueTask<byte[]> GetPackedAsync(long fromVersion, long toVersion, CancellationToken cancellationToken) =>
            new([]);
    }
}
