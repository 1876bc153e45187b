using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

internal sealed partial class NodeDrain
{
    [LoggerMessage(5006, LogLevel.Warning, "Node {Node} could not hand over {Count} partitions: {Reason}")]
    private static partial void LogLeftBehind(ILogger logger, NodeId node, int count, string reason);
}
