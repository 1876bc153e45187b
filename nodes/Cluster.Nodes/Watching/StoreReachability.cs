using Cluster.Nodes.Stores;
using Cluster.StateStore.Client;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

/// <summary>
/// Whether the cluster store answers, as the loop that watches it finds. Announces the change, and while the store
/// is away repeats itself in the log at most once a minute. A private lock protects the few fields.
/// </summary>
internal sealed partial class StoreReachability(
    IClusterStore store, EventBoard events, TableView view, TimeProvider time, ILogger<StoreReachability> logger)
{
    internal static readonly TimeSpan ReminderInterval = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private long? _awaySince;
    private long _lastTold;
    private int _failureCount;

    /// <summary>Whether the latest attempt was answered.</summary>
    internal bool IsReachable
    {
        get
        {
            lock (_lock) return _awaySince is null;
        }
    }

    internal void ReportSuccess()
    {
        TimeSpan away;
        int count;
        lock (_lock)
        {
            if (_awaySince is not { } since) return;
            away = time.GetElapsedTime(since);
            count = _failureCount;
            _awaySince = null;
            _failureCount = 0;
        }

        LogBack(logger, store.Description, away, count);
        Announce(ClusterEventKind.StoreReachable, "");
    }

    internal void ReportFailure(ClusterStoreException failure)
    {
        bool isFirst;
        int count;
        lock (_lock)
        {
            isFirst = _awaySince is null;
            _awaySince ??= time.GetTimestamp();
            count = ++_failureCount;
            if (!isFirst && time.GetElapsedTime(_lastTold) < ReminderInterval) return;
            _lastTold = time.GetTimestamp();
        }

        LogAway(logger, store.Description, count, failure.Message);
        if (isFirst) Announce(ClusterEventKind.StoreUnreachable, failure.Message);
    }

    private void Announce(ClusterEventKind kind, string reason) =>
        events.Announce(new ClusterEvent(kind, time.GetUtcNow(), view.Current.Version, null, 0) { Reason = reason });
}
