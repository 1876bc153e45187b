using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Beacons;

internal sealed partial class BeaconReceiver
{
    [LoggerMessage(
        5070, LogLevel.Warning,
        "A connection from {From} to the liveness endpoint was closed: {Reason}. {Count} have been closed so far")]
    private static partial void LogRefused(ILogger logger, string from, string reason, long count);

    [LoggerMessage(5071, LogLevel.Error, "A beacon of another node could not be handled")]
    private static partial void LogFailed(ILogger logger, Exception failure);
}
