using System.Threading.Channels;
using Cluster.Nodes.Deltas;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Watching;

/// <summary>The newest table of the cluster store, for decisions that only the store may confirm. Where the store shows
/// the digest of its table, the table itself comes from other nodes as a delta; the digest confirms it.
/// Thread-safe.</summary>
internal sealed class ConfirmedTable(
    IClusterStore store, RecentTables tables, DeltaClient deltas, NodeMetrics metrics, TimeProvider time)
{
    // Other nodes tell of their table several times a second, so one note is enough.
    private readonly Channel<long> _heard = Channel.CreateBounded<long>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest });

    /// <summary>This process's view of the table, which each read brings up to date.</summary>
    public TableView View => tables.View;

    /// <summary>Takes a table that the store has confirmed to this process.</summary>
    public void Publish(ClusterTable table) => tables.Publish(table);

    /// <summary>Notes that another node knows a newer table. That proves nothing.</summary>
    public void Hear(long version) => _heard.Writer.TryWrite(version);

    /// <summary>Waits until another node knows a newer table than a version.</summary>
    public async Task WaitUntilHeardAsync(long known, CancellationToken cancellationToken)
    {
        while (await _heard.Reader.ReadAsync(cancellationToken).ConfigureAwait(false) <= known)
        {
        }
    }

    /// <summary>Reads the table consistently and publishes it in the view.</summary>
    /// <exception cref="ClusterStoreException">The store does not answer, or its table is older than the one that this
    /// process has read before.</exception>
    public async ValueTask<ClusterTable> ReadAsync(CancellationToken cancellationToken)
    {
        var known = View.Current;
        TableStamp? stamp = known.Version > 0
            ? await store.ReadStampAsync(TableConsistency.Consistent, cancellationToken).ConfigureAwait(false)
            : null;
        var table = await FindAsync(known, stamp, TableConsistency.Consistent, cancellationToken).ConfigureAwait(false);

        // A store that was restored from an older copy would take acknowledged changes back, and a partition could get
        // a second owner.
        if (table.Version < known.Version)
            throw StoreErrors.WentBack(store.Description, known.Version, table.Version);
        Publish(table);
        return table;
    }

    /// <summary>Brings the view up to date from any copy of the store.</summary>
    /// <param name="stamp">What the store has shown.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStoreException">The store does not answer.</exception>
    public async ValueTask FollowAsync(TableStamp stamp, CancellationToken cancellationToken) => Publish(
        await FindAsync(View.Current, stamp, TableConsistency.Stale, cancellationToken).ConfigureAwait(false));

    /// <summary>Reads the table, and repeats the read until the store answers.</summary>
    public Task<ClusterTable> ReadUntilAnsweredAsync(CancellationToken cancellationToken) =>
        StoreQuestion.AskAsync(ReadAsync, time, cancellationToken);

    private async ValueTask<ClusterTable> FindAsync(
        ClusterTable known, TableStamp? stamp, TableConsistency consistency, CancellationToken cancellationToken)
    {
        if (stamp is { } shown)
        {
            if (shown.Version == known.Version && shown.Digest == ClusterTableCodec.Digest(known))
                return known;
            if (shown is { Digest: not null } && shown.Version > known.Version
                && await AskPeersAsync(known, shown, consistency, cancellationToken).ConfigureAwait(false) is { } told)
            {
                metrics.CountTable(isDelta: true);
                return told;
            }
        }

        metrics.CountTable(isDelta: false);
        return await store.ReadTableAsync(consistency, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask<ClusterTable?> AskPeersAsync(
        ClusterTable known, TableStamp stamp, TableConsistency consistency, CancellationToken cancellationToken)
    {
        foreach (var source in deltas.FindSources(known, stamp.Version))
        {
            var answer = await deltas.AskAsync(source, known, stamp.Version, cancellationToken).ConfigureAwait(false);
            if (answer is not var (table, digest))
                continue;

            // The table may have changed again since the store was asked.
            if (table.Version > stamp.Version)
                stamp = await store.ReadStampAsync(consistency, cancellationToken).ConfigureAwait(false);
            if (table.Version == stamp.Version && digest == stamp.Digest)
                return table;
            if (table.Version == stamp.Version)
                deltas.Refuse(source, $"its table {table.Version} is not the one in the cluster store");
        }

        return null;
    }
}
