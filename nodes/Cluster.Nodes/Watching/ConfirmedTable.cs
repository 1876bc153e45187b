using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Watching;

/// <summary>
/// Reads the newest table from the cluster store, for decisions that only the store may confirm. Stateless.
/// </summary>
internal static class ConfirmedTable
{
    /// <summary>Reads the table consistently and publishes it in the view.</summary>
    /// <param name="store">The cluster store.</param>
    /// <param name="view">This process's view of the table.</param>
    /// <param name="cancellationToken">Ends the read.</param>
    /// <exception cref="ClusterStoreException">The store does not answer, or its table is older than the one that this
    /// process has read before.</exception>
    public static async ValueTask<ClusterTable> ReadAsync(
        IClusterStore store, TableView view, CancellationToken cancellationToken)
    {
        var known = view.Current.Version;
        var table = await store.ReadTableAsync(TableConsistency.Consistent, cancellationToken).ConfigureAwait(false);

        // A store that was restored from an older copy would take acknowledged changes back, and a partition could get
        // a second owner.
        if (table.Version < known)
            throw StoreErrors.WentBack(store.Description, known, table.Version);
        view.Publish(table);
        return table;
    }
}
