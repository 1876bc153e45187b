using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Hosting;

/// <summary>What the node's store logs.</summary>
public sealed partial class NodeStateStore
{
    [LoggerMessage(4001, LogLevel.Debug, "Partition {Partition} is served at epoch {Epoch}.")]
    private partial void LogServing(PartitionId partition, Epoch epoch);

    [LoggerMessage(
        4003, LogLevel.Warning, "Records of partition {Partition} (transfer {Transfer}) were refused: {Reason}.")]
    private partial void LogImportRefused(int partition, Guid transfer, string reason);

    [LoggerMessage(4004, LogLevel.Warning, "Transfer {Transfer} of partition {Partition} could not be called off.")]
    private partial void LogAbortFailed(PartitionId partition, Guid transfer, Exception exception);
}
