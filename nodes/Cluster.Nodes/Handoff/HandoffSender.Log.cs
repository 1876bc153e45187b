using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Handoff;

internal sealed partial class HandoffSender
{
    [LoggerMessage(5070, LogLevel.Warning,
        "Partition {Partition} could not be handed to {Target} and is served here on: {Reason}")]
    private static partial void LogSendFailed(ILogger logger, PartitionId partition, NodeId target, string reason);
}
