using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>Ends a repeated attempt when the operation's time is over, or when a newer table names another owner: the
/// former one may stand still, and its answer would be waited for in vain. Used by one attempt.</summary>
internal sealed class AttemptBound : IAsyncDisposable
{
    private readonly ITableView _view;
    private readonly CancellationTokenSource _deadline;
    private readonly CancellationTokenSource _end;
    private readonly Task _watch;

    /// <summary>Begins to watch.</summary>
    /// <param name="view">This process's view of the table.</param>
    /// <param name="place">Where the attempt goes.</param>
    /// <param name="deadline">Ends the operation's time. The bound disposes of it.</param>
    /// <param name="cancellationToken">The caller's own end.</param>
    public AttemptBound(
        ITableView view, in CallPlace place, CancellationTokenSource deadline, CancellationToken cancellationToken)
    {
        _view = view;
        _deadline = deadline;
        _end = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        _watch = place is { IsHere: false, Partition: { } partition, Route.Owner: { } owner } && place.Target == owner
            ? WatchAsync(partition, owner)
            : Task.CompletedTask;
    }

    /// <summary>Ends the attempt.</summary>
    public CancellationToken Token => _end.Token;

    /// <summary>Whether the owner has changed.</summary>
    public bool HasMoved { get; private set; }

    /// <inheritdoc />
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _watch.ConfigureAwait(false);
        _end.Dispose();
        _deadline.Dispose();
    }

    private async Task WatchAsync(PartitionId partition, ClusterMember owner)
    {
        try
        {
            var version = _view.Current.Version;
            while (_view.RouteOf(partition).Owner?.Node == owner.Node)
                version = (await _view.WaitForNewerAsync(version, _end.Token).ConfigureAwait(false)).Version;
            HasMoved = true;
            await _end.CancelAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The attempt has ended otherwise.
        }
    }
}
