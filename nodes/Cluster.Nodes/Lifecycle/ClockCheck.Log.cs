using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

internal sealed partial class ClockCheck
{
    [LoggerMessage(
        5007, LogLevel.Warning,
        "The clock of node {Node} differs from this one by more than {Limit} (Cluster:MaxClockSkew), those of most "
        + "nodes do not: {Difference}")]
    private static partial void LogNodeDiffers(ILogger logger, NodeId node, string difference, TimeSpan limit);

    [LoggerMessage(
        5008, LogLevel.Information, "The clock of node {Node} could not be compared with this one: {Reason}")]
    private static partial void LogNotCompared(ILogger logger, NodeId node, string reason);
}
