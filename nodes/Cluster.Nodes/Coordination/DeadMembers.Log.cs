using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Coordination;

internal sealed partial class DeadMembers
{
    [LoggerMessage(5062, LogLevel.Warning, "Node {Node} is proven dead: {Reason}")]
    private static partial void LogDeathFound(ILogger logger, NodeId node, string reason);
}
