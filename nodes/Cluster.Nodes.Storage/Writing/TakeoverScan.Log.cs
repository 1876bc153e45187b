using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

internal sealed partial class TakeoverScan
{
    [LoggerMessage(
        7012, LogLevel.Information,
        "State '{State}': the values that its storage does not have could not all be counted")]
    private static partial void LogNotCounted(ILogger logger, string state, Exception failure);
}
