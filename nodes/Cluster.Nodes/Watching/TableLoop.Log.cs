using Cluster.Contracts;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

internal sealed partial class TableLoop
{
    [LoggerMessage(
        5080, LogLevel.Critical,
        "Table {Version} lists this node, {Node}, as gone. It has stopped serving and ends, "
        + "because its partitions may belong to "
        + "others by now")]
    private static partial void LogExpelled(ILogger logger, NodeId node, long version);
}
