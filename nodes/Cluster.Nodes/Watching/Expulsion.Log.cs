using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

internal sealed partial class Expulsion
{
    [LoggerMessage(
        5080, LogLevel.Critical,
        "Node {Node} has stopped serving and ends, because its partitions may belong to others by now: {Reason}")]
    private static partial void LogExpelled(ILogger logger, NodeId node, string reason);
}
