using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

internal sealed partial class FormerLives
{
    [LoggerMessage(
        5050, LogLevel.Warning,
        "This node joins beside its former life {Former}, whose end cannot be proven; "
        + "partitions that it owned stay unavailable "
        + "until it returns or is proven dead: {Reason}")]
    private static partial void LogFormerLifeUnknown(ILogger logger, NodeId former, string reason);
}
