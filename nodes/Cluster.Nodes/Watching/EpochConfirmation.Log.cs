using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

internal sealed partial class EpochConfirmation
{
    [LoggerMessage(
        5090, LogLevel.Warning,
        "A request named epoch {Named} of partition {Partition}, but the cluster store holds epoch {Stored}. The "
        + "request changed nothing")]
    private static partial void LogNotConfirmed(ILogger logger, PartitionId partition, Epoch named, Epoch stored);
}
