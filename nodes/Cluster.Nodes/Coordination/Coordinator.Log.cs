using Cluster.Contracts;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Coordination;

internal sealed partial class Coordinator
{
    [LoggerMessage(5060, LogLevel.Information, "This node is the coordinator")]
    private static partial void LogLeaseHeld(ILogger logger);

    [LoggerMessage(5061, LogLevel.Warning, "This node is no longer the coordinator: its lease was lost")]
    private static partial void LogLeaseLost(ILogger logger);

    [LoggerMessage(5062, LogLevel.Warning, "Node {Node} is proven dead: {Reason}")]
    private static partial void LogDeathFound(ILogger logger, NodeId node, string reason);
}
