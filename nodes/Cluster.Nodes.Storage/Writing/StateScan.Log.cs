using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

internal sealed partial class StateScan
{
    [LoggerMessage(
        7010, LogLevel.Information,
        "State '{State}': partition {Partition} could not be searched for values that the storage lacks; it is tried "
        + "again")]
    private static partial void LogNotScanned(ILogger logger, string state, PartitionId partition, Exception failure);
}
