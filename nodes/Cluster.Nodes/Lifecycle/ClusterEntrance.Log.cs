using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

internal sealed partial class ClusterEntrance
{
    [LoggerMessage(5001, LogLevel.Information, "Waiting for the {Store}, {Timeout} at most: {Obstacle}")]
    private static partial void LogWaiting(ILogger logger, string store, string obstacle, TimeSpan timeout);
}
