using System.Diagnostics.Metrics;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting;

namespace Cluster.Nodes.Members;

/// <summary>What the meter <c>Cluster.Nodes</c> tells of the replicas on this node. The meter belongs to the host's
/// factory. Instruments protect themselves.</summary>
internal sealed class ReplicaMetrics
{
    private readonly Meter _meter;
    private readonly CurrentMemberRole _role;

    public ReplicaMetrics(IMeterFactory meters, CurrentMemberRole role)
    {
        _role = role;
        _meter = meters.Create(NodeMetrics.MeterName);
        _meter.CreateObservableGauge(
            "cluster.replicas", DescribeReplicas, "{replica}", "Replicas of partitions on this node, by what they do");
        Observe("cluster.copies.sent", "{copy}", "Copies of partitions that this node sends now",
            static store => store.CopiesSent);
        Observe("cluster.copies.left", "By", "Bytes that these copies have still to send",
            static store => store.CopyBytesLeft);
        _meter.CreateObservableGauge(
            "cluster.lease.margin", DescribeMargin, "s",
            "How long the shortest lease of a served partition still lasts");
        Count("cluster.epochs.begun", "{epoch}", "Epochs that partitions of this node have begun",
            static store => store.EpochChanges);
        Count("cluster.frames.refused", "{frame}", "Frames of other nodes that were refused",
            static store => store.RefusedFrames);
        Count("cluster.frames.repeated", "{frame}", "Frames that were sent again, because no answer came",
            static store => store.RepeatedFrames);
        Count("cluster.snapshots.saved", "{snapshot}", "Snapshots of partitions that were saved",
            static store => store.SnapshotsSaved);
        Count("cluster.snapshots.failed", "{snapshot}",
            "Snapshots of partitions that could not be saved or loaded", static store => store.SnapshotsFailed);
        Count("cluster.partitions.restored", "{partition}", "Partitions that were restored from snapshots",
            static store => store.PartitionsRestored);
        Count("cluster.copies.received", "{copy}", "Copies of partitions that this node has received whole",
            static store => store.CopiesReceived);
        Count("cluster.copies.differences", "{copy}",
            "Those of them that were only what had changed since an earlier life of the node",
            static store => store.DifferencesReceived);
        Count("cluster.copies.bytes", "By", "Bytes that came in copies, of keys, values and log entries",
            static store => store.CopyBytesReceived);
        Count("cluster.kept.used", "By",
            "Bytes of keys and values that an earlier life has left, so that they did not have to come",
            static store => store.KeptBytesUsed);
        Count("cluster.kept.dropped", "{partition}",
            "Partitions of which the node dropped what an earlier life had left", static store => store.KeptDropped);
    }

    private StoreStatistics? Store => _role.Current?.Store.Describe();

    private void Observe(string name, string unit, string what, Func<StoreStatistics, long> read) =>
        _meter.CreateObservableGauge(name, () => Store is { } store ? read(store) : 0, unit, what);

    private void Count(string name, string unit, string what, Func<StoreStatistics, long> read) =>
        _meter.CreateObservableCounter(name, () => Store is { } store ? read(store) : 0, unit, what);

    private IEnumerable<Measurement<double>> DescribeMargin() =>
        Store?.LeaseMargin is { } margin ? [new Measurement<double>(margin.TotalSeconds)] : [];

    private IEnumerable<Measurement<int>> DescribeReplicas() => Store is not { } store ? [] :
    [
        Replicas(store.Serving, "serving"),
        Replicas(store.Suspended, "suspended"),
        Replicas(store.Backups, "backup"),
        Replicas(store.Copying, "copying"),
        Replicas(store.Dropping, "dropping"),
        Replicas(store.Kept, "kept"),
    ];

    private static Measurement<int> Replicas(int count, string state) =>
        new(count, new KeyValuePair<string, object?>("state", state));
}
