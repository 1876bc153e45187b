using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

/// <summary>Whether the cluster store answers for this cluster, as the loop that watches it finds. A store that holds
/// another cluster counts as unreachable. Announces each change, and repeats the log entry at most once a minute until
/// the store is back. A private lock protects the fields.</summary>
internal sealed partial class StoreReachability(
    IClusterStore store, EventBoard events, TableView view, TimeProvider time, ILogger<StoreReachability> logger)
{
    public static readonly TimeSpan ReminderInterval = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private long? _awaySince;
    private long? _emptiedSince;
    private string? _trouble;
    private long _lastTold;
    private int _failureCount;

    /// <summary>What the latest read found instead of this cluster. Null: it read this cluster.</summary>
    public string? Trouble
    {
        get
        {
            lock (_lock)
                return _trouble;
        }
    }

    /// <summary>For how long all reads have found that the store holds no cluster any more. Null: the latest one found
    /// something else.</summary>
    public TimeSpan? EmptiedFor
    {
        get
        {
            lock (_lock)
                return _emptiedSince is { } since ? time.GetElapsedTime(since) : null;
        }
    }

    public void ReportSuccess()
    {
        TimeSpan away;
        int count;
        lock (_lock)
        {
            _emptiedSince = null;
            if (_awaySince is not { } since)
                return;
            away = time.GetElapsedTime(since);
            count = _failureCount;
            _awaySince = null;
            _trouble = null;
            _failureCount = 0;
        }

        LogBack(logger, LogText.Clean(store.Description), away, count);
        Announce(ClusterEventKind.StoreReachable, "");
    }

    public void ReportFailure(ClusterStoreException failure)
    {
        bool isFirst;
        int count;
        lock (_lock)
        {
            _trouble = Describe(failure);
            _emptiedSince = failure.Kind == ClusterStoreError.Emptied ? _emptiedSince ?? time.GetTimestamp() : null;
            isFirst = _awaySince is null;
            _awaySince ??= time.GetTimestamp();
            count = ++_failureCount;
            if (!isFirst && time.GetElapsedTime(_lastTold) < ReminderInterval)
                return;
            _lastTold = time.GetTimestamp();
        }

        if (failure.Kind == ClusterStoreError.Unreachable)
            LogAway(logger, LogText.Clean(store.Description), count, LogText.Clean(failure.Message));
        else
            LogUnusable(logger, LogText.Clean(store.Description), count, LogText.Clean(failure.Message));
        if (isFirst)
            Announce(ClusterEventKind.StoreUnreachable, failure.Message);
    }

    /// <summary>Announces that this node has put the cluster back into the store.</summary>
    public void ReportRestored(long version) => events.Announce(
        new ClusterEvent(ClusterEventKind.StoreRestored, time.GetUtcNow(), version, view.Self, 0));

    private static string Describe(ClusterStoreException failure) => failure.Kind == ClusterStoreError.Unreachable
        ? "The cluster store does not answer."
        : $"The cluster store does not answer for this cluster: {failure.Message}";

    private void Announce(ClusterEventKind kind, string reason) =>
        events.Announce(new ClusterEvent(kind, time.GetUtcNow(), view.Current.Version, null, 0) { Reason = reason });
}
