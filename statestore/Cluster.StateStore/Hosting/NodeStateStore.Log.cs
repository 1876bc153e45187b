using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Hosting;

/// <summary>What the node's store logs.</summary>
public sealed partial class NodeStateStore
{
    [LoggerMessage(
        4001, LogLevel.Warning,
        "Partition {Partition} began again empty on another node. The {Count} entries that this node had are dropped.")]
    private partial void LogLost(PartitionId partition, long count);

    [LoggerMessage(
        4009, LogLevel.Information,
        "An earlier life of this node has left the records of {Kept} partitions in its folder. They are served only "
        + "after other nodes have sent what has changed. The rest of the folder, {Dropped} partitions, is dropped")]
    private partial void LogAttached(int kept, int dropped);

    [LoggerMessage(4010, LogLevel.Warning, "{Sharing} It is used because Cluster:AllowSharedFolder is set")]
    private partial void LogShared(string sharing);

    [LoggerMessage(
        4002, LogLevel.Critical,
        "The state store has stopped, because its protocol found a contradiction. Restart this node and report the "
        + "error: {Reason}")]
    private partial void LogFailed(Exception failure, string reason);
}
