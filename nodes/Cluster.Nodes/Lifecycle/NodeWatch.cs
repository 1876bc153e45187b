using Cluster.Nodes.Status;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Client;

namespace Cluster.Nodes.Lifecycle;

/// <summary>
/// The loops by which every process, node or client, knows what goes on: following the table, acting on it, and
/// asking nodes for their status. Owned by <see cref="ClusterNode"/>, which starts and ends them.
/// </summary>
internal sealed class NodeWatch(
    IClusterStore store, TableView view, TableFollower follower, TableLoop table,
    NodeStatusBoard board, TimeProvider time) : IAsyncDisposable
{
    /// <summary>The failures of its loops, for the health check.</summary>
    internal IEnumerable<string> Failures => new[] { follower.Failure, table.Failure }.OfType<string>();

    /// <summary>Reads the table and starts.</summary>
    internal async Task StartAsync(CancellationToken cancellation)
    {
        view.Publish(await StoreQuestion.AskAsync(
            token => store.ReadTableAsync(TableConsistency.Consistent, token), time, cancellation)
            .ConfigureAwait(false));
        follower.Start();
        table.Start();
        board.Start();
    }

    public async ValueTask DisposeAsync()
    {
        await board.DisposeAsync().ConfigureAwait(false);
        await table.DisposeAsync().ConfigureAwait(false);
        await follower.DisposeAsync().ConfigureAwait(false);
    }
}
