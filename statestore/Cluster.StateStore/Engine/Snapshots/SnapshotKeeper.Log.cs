using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Engine.Snapshots;

internal sealed partial class SnapshotKeeper
{
    [LoggerMessage(
        4003, LogLevel.Information,
        "{Partitions} partitions are restored from snapshots of this node, with {Count} entries")]
    private static partial void LogRestored(ILogger logger, int partitions, long count);

    [LoggerMessage(
        4007, LogLevel.Warning,
        "All nodes with copies of {Partitions} partitions are gone; this node has snapshots of {Found} of them. The "
        + "partitions wait until all nodes that had them are back, at most Cluster:RestoreTimeout")]
    private static partial void LogLost(ILogger logger, int partitions, int found);

    [LoggerMessage(4008, LogLevel.Warning, "{Sharing} It is used because Cluster:AllowSharedFolder is set")]
    private static partial void LogShared(ILogger logger, string sharing);

    [LoggerMessage(
        4004, LogLevel.Error,
        "The snapshot of partition {Partition} cannot be used, so this node cannot restore the partition from it: "
        + "{Reason} {Kept}")]
    private static partial void LogUnusable(ILogger logger, PartitionId partition, string reason, string kept);

    [LoggerMessage(
        4005, LogLevel.Error,
        "A snapshot could not be saved; the last one stays, and the node tries again. Further failures are counted "
        + "and not told until a snapshot is saved: {Reason}")]
    private static partial void LogFailed(ILogger logger, Exception failure, string reason);

    [LoggerMessage(
        4006, LogLevel.Error,
        "The layouts of the values in snapshots cannot be read, so values of earlier versions of types may be refused "
        + "after a restoration: {Reason}")]
    private static partial void LogLayoutsUnusable(ILogger logger, string reason);
}
