using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Deltas;

namespace Cluster.Nodes.Watching;

/// <summary>Keeps this process's view of the table new by watching the store, and reports when the store becomes
/// unreachable and reachable. Without the store the last table stays in force. Owned by the node's lifecycle; only its
/// own loop writes it.</summary>
internal sealed class TableFollower : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2));

    // Consul tells most nodes of a table within some milliseconds. A server that follows another one may learn of it
    // only half a second later, and partitions that move wait for it.
    private static readonly TimeSpan GraceOfSmall = TimeSpan.FromMilliseconds(250);

    // The reads of a thousand nodes would come to one server.
    private static readonly TimeSpan GraceOfLarge = TimeSpan.FromSeconds(1);

    private readonly IClusterStore _store;
    private readonly ConfirmedTable _table;
    private readonly StoreReachability _reachability;
    private readonly TimeProvider _time;
    private readonly BackgroundLoop _loop;

    public TableFollower(
        IClusterStore store, ConfirmedTable table, StoreReachability reachability, LoopContext loops)
    {
        _store = store;
        _table = table;
        _reachability = reachability;
        _time = loops.Time;
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
            var stored = await WaitForChangeAsync(known, cancellationToken).ConfigureAwait(false);
            if (stored is { } stamp && stamp.Version > known)
                await _table.FollowAsync(stamp, cancellationToken).ConfigureAwait(false);
            else if (stored?.Version != known)
            {
                // A lagging copy of the store gives an older version, and so does a store that was restored from a
                // backup. A poll that was given up gives none.
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

    // A network that was cut for a while may have lost the answer of the store, and the question waits for it for most
    // of a minute. Other nodes know the newer table meanwhile. Null: the question was given up.
    private async ValueTask<TableStamp?> WaitForChangeAsync(long known, CancellationToken cancellationToken)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var question = _store.WaitForChangeAsync(known, end.Token).AsTask();
        var delay = WaitUntilLateAsync(known, end.Token);
        await Task.WhenAny(question, delay).ConfigureAwait(false);
        await end.CancelAsync().ConfigureAwait(false);
        await delay.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        try
        {
            return await question.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    private async Task WaitUntilLateAsync(long known, CancellationToken cancellationToken)
    {
        await _table.WaitUntilHeardAsync(known, cancellationToken).ConfigureAwait(false);
        var grace = DeltaTree.IsUsed(_table.View.Current) ? GraceOfLarge : GraceOfSmall;
        await Task.Delay(grace, _time, cancellationToken).ConfigureAwait(false);
    }
}
