using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

internal sealed partial class TakeoverScan
{
    [LoggerMessage(
        7010, LogLevel.Information,
        "Partition {Partition} could not be searched for values that its storage lacks; it is tried again")]
    private static partial void LogNotScanned(ILogger logger, PartitionId partition, Exception failure);

    [LoggerMessage(
        7012, LogLevel.Information,
        "State '{State}': the values that its storage does not have could not all be counted")]
    private static partial void LogNotCounted(ILogger logger, string state, Exception failure);
}
