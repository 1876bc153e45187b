using Cluster.Nodes.Loops;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Recovery;

/// <summary>Writes the table into a cluster store that was emptied, once all members agree that it was, as
/// <see cref="RestoreDecision"/> says. The store takes it only where it holds nothing, so a cluster that somebody has
/// created there meanwhile stays. Every node runs it; a client does not. Owned by the node's lifecycle; only its own
/// loop uses the private fields.</summary>
internal sealed partial class StoreRestoration : IAsyncDisposable
{
    /// <summary>How long the store must have been empty. An operator who puts the data back, or begins a new cluster,
    /// does both within this time.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    /// <summary>How long members must be missing before that is told. Nodes do not notice in the same moment that the
    /// store is empty, or filled again.</summary>
    public static readonly TimeSpan AlarmDelay = TimeSpan.FromSeconds(5);

    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(500), TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(4));

    private readonly IClusterStore _store;
    private readonly ConfirmedTable _table;
    private readonly StoreReachability _reachability;
    private readonly MemberReports _reports;
    private readonly LoopContext _loops;
    private readonly BackgroundLoop _loop;
    private ClusterMeta? _meta;
    private volatile string? _obstacle;
    private long? _missingSince;
    private long _toldAt;

    public StoreRestoration(
        IClusterStore store, ConfirmedTable table, StoreReachability reachability, MemberReports reports,
        LoopContext loops)
    {
        _store = store;
        _table = table;
        _reachability = reachability;
        _reports = reports;
        _loops = loops;
        _loop = new BackgroundLoop("Restoring an emptied cluster store", Pace, loops, StepAsync);
    }

    public string? Failure => _loop.Failure;

    /// <summary>Why an emptied store is not written again, or null.</summary>
    public string? Obstacle => _obstacle;

    /// <summary>Starts the loop of a node.</summary>
    /// <param name="meta">The properties of the cluster.</param>
    public void Start(ClusterMeta meta)
    {
        _meta = meta;
        if (_table.View.Self is not null && _store is IRestorableClusterStore { IsRestoredByNodes: true })
            _loop.Start();
    }

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        if (_reachability.EmptiedFor is not { } span)
        {
            NoteNobodyMissing();
            return;
        }

        if (span < Patience)
            return;
        var (table, self) = (_table.View.Current, _table.View.Self!.Value);
        var reports = await _reports.AskAsync(table, self, cancellationToken).ConfigureAwait(false);
        var decision = RestoreDecision.Make(_meta!.ClusterId, self, table, reports);
        Tell(table, decision.Missing);

        // A table that came while the members were asked would be lost.
        if (decision.Action == RestoreAction.Write && ReferenceEquals(table, _table.View.Current))
            await WriteAsync(RestoreDecision.Restore(table, Guid.NewGuid()), cancellationToken).ConfigureAwait(false);
    }

    private async Task WriteAsync(ClusterTable table, CancellationToken cancellationToken)
    {
        try
        {
            var store = (IRestorableClusterStore)_store;
            if (!await store.RestoreAsync(_meta!, table, cancellationToken).ConfigureAwait(false))
                return;
        }
        catch (ClusterStoreException)
        {
            // The loop that watches the store tells what it holds. If it is still empty, the next step tries again.
            return;
        }

        _table.Publish(table);
        LogRestored(_loops.Logger, table.Version, table.Members.Length, LogText.Clean(_store.Description));
        _reachability.ReportRestored(table.Version);
    }

    private void Tell(ClusterTable table, ImmutableArray<NodeId> missing)
    {
        if (missing.IsEmpty)
        {
            NoteNobodyMissing();
            return;
        }

        _missingSince ??= _loops.Time.GetTimestamp();
        if (_loops.Time.GetElapsedTime(_missingSince.Value) < AlarmDelay)
            return;
        var names = string.Join(", ", missing);
        var obstacle = $"The nodes do not write it again without: {names}.";
        var isNew = obstacle != _obstacle;
        _obstacle = obstacle;
        if (!isNew && _loops.Time.GetElapsedTime(_toldAt) < StoreReachability.ReminderInterval)
            return;
        _toldAt = _loops.Time.GetTimestamp();
        LogMissing(_loops.Logger, LogText.Clean(_store.Description), table.Version, LogText.Clean(names));
    }

    private void NoteNobodyMissing() => (_obstacle, _missingSince) = (null, null);
}
