using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Watching;

/// <summary>Keeps this process's view of the table new by watching the store, and reports when the store becomes
/// unreachable and reachable. Without the store the last table stays in force. Owned by the node's lifecycle; only its
/// own loop writes it.</summary>
internal sealed class TableFollower : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2));

    private readonly IClusterStore _store;
    private readonly ConfirmedTable _table;
    private readonly StoreReachability _reachability;
    private readonly BackgroundLoop _loop;

    public TableFollower(
        IClusterStore store, ConfirmedTable table, StoreReachability reachability, LoopContext loops)
    {
        _store = store;
        _table = table;
        _reachability = reachability;
        _loop = new BackgroundLoop("Following the cluster table", Pace, loops, StepAsync);
    }

    public string? Failure => _loop.Failure;

    public void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        try
        {
            var known = _table.View.Current.Version;
            var stored = await _store.WaitForChangeAsync(known, cancellationToken).ConfigureAwait(false);
            if (stored > known)
                await _table.FollowAsync(cancellationToken).ConfigureAwait(false);
            else if (stored < known)
            {
                // A lagging copy of the store gives an older version, and so does a store that was restored from a
                // backup.
                await _table.ReadAsync(cancellationToken).ConfigureAwait(false);
            }

            _reachability.ReportSuccess();
        }
        catch (ClusterStoreException failure)
        {
            _reachability.ReportFailure(failure);
            throw;
        }
    }
}
