using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

internal sealed partial class NodeEnvironment
{
    [LoggerMessage(
        5010, LogLevel.Information,
        "The cluster store did not answer a change of the table; its outcome is unknown until it does: {Reason}")]
    private static partial void LogOutcomeUnknown(ILogger logger, string reason);

    [LoggerMessage(5012, LogLevel.Error, "The cluster store refused table {Version}: {Reason}")]
    private static partial void LogTableRefused(ILogger logger, long version, string reason);

    [LoggerMessage(
        5013, LogLevel.Error,
        "A request of the state store failed unexpectedly; the state store asks again")]
    private static partial void LogWorkFailed(ILogger logger, Exception failure);

    [LoggerMessage(5062, LogLevel.Warning, "Node {Node} is proven dead: {Reason}")]
    private static partial void LogDeathFound(ILogger logger, NodeId node, string reason);
}
