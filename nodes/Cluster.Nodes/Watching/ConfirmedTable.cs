using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Watching;

/// <summary>The newest table of the cluster store, for decisions that only the store may confirm.
/// Thread-safe.</summary>
internal sealed class ConfirmedTable(IClusterStore store, TableView view, TimeProvider time)
{
    /// <summary>This process's view of the table, which each read brings up to date.</summary>
    public TableView View => view;

    /// <summary>Reads the table consistently and publishes it in the view.</summary>
    /// <exception cref="ClusterStoreException">The store does not answer, or its table is older than the one that this
    /// process has read before.</exception>
    public async ValueTask<ClusterTable> ReadAsync(CancellationToken cancellationToken)
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

    /// <summary>Reads the table, and repeats the read until the store answers.</summary>
    public Task<ClusterTable> ReadUntilAnsweredAsync(CancellationToken cancellationToken) =>
        StoreQuestion.AskAsync(ReadAsync, time, cancellationToken);
}
