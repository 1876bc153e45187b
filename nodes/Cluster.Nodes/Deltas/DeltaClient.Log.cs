using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Deltas;

internal sealed partial class DeltaClient
{
    [LoggerMessage(
        5091, LogLevel.Warning,
        "The changes of the table that node {Node} gave are refused, so the table is read elsewhere: {Reason}")]
    private static partial void LogWrongDelta(ILogger logger, NodeId node, string reason);
}
