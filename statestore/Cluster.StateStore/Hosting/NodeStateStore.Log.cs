using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Hosting;

/// <summary>What the node's store logs.</summary>
public sealed partial class NodeStateStore
{
    [LoggerMessage(
        4001, LogLevel.Warning,
        "Partition {Partition} began again empty on another node. The {Count} entries that this node had are dropped.")]
    private partial void LogLost(PartitionId partition, long count);
}
