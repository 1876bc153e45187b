using Cluster.Nodes.Members;
using Cluster.Nodes.Status;
using Cluster.Nodes.Watching;

namespace Cluster.Nodes.Lifecycle;

/// <summary>The loops that keep a process, node or client, up to date: they follow the table, act on it, and ask nodes
/// for their status. Owned by <see cref="ClusterNode"/>, which starts and ends them.</summary>
internal sealed class NodeWatch(
    TableFollower follower, HintFollower hints, TableLoop table, NodeStatusBoard board) : IAsyncDisposable
{
    /// <summary>The failures of its loops, for the health check.</summary>
    public IEnumerable<string> Failures => new[] { follower.Failure, hints.Failure, table.Failure }.OfType<string>();

    /// <summary>Starts the loops, once the view has its first table.</summary>
    public void Start()
    {
        follower.Start();
        hints.Start();
        table.Start();
        board.Start();
    }

    /// <summary>Acts on no newer table, and announces none. The view still follows the store.</summary>
    public ValueTask StopActingAsync() => table.DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await board.DisposeAsync().ConfigureAwait(false);
        await table.DisposeAsync().ConfigureAwait(false);
        await hints.DisposeAsync().ConfigureAwait(false);
        await follower.DisposeAsync().ConfigureAwait(false);
    }
}
