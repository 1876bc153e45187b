using Cluster.Nodes.Members;
using Cluster.Nodes.Recovery;
using Cluster.Nodes.Status;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Lifecycle;

/// <summary>The loops that keep a process, node or client, up to date: they follow the table, act on it, ask nodes for
/// their status, and restore a store that was emptied. Owned by <see cref="ClusterNode"/>, which starts and ends
/// them.</summary>
internal sealed class NodeWatch(
    TableFollower follower, HintFollower hints, TableLoop table, NodeStatusBoard board,
    StoreRestoration restoration) : IAsyncDisposable
{
    /// <summary>The failures of its loops, for the health check.</summary>
    public IEnumerable<string> Failures =>
        new[] { follower.Failure, hints.Failure, table.Failure, restoration.Failure }.OfType<string>();

    /// <summary>Why the nodes do not restore a store that was emptied, or null.</summary>
    public string? RestoreObstacle => restoration.Obstacle;

    /// <summary>Starts the loops, once the view has its first table.</summary>
    /// <param name="meta">The properties of the cluster.</param>
    public void Start(ClusterMeta meta)
    {
        follower.Start();
        hints.Start();
        table.Start();
        board.Start();
        restoration.Start(meta);
    }

    /// <summary>Acts on no newer table, and announces none. The view still follows the store.</summary>
    public ValueTask StopActingAsync() => table.DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await restoration.DisposeAsync().ConfigureAwait(false);
        await board.DisposeAsync().ConfigureAwait(false);
        await table.DisposeAsync().ConfigureAwait(false);
        await hints.DisposeAsync().ConfigureAwait(false);
        await follower.DisposeAsync().ConfigureAwait(false);
    }
}
