using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

internal sealed partial class StoreReachability
{
    [LoggerMessage(
        5030, LogLevel.Warning,
        "The {Store} does not answer ({Count} failures). Reads, writes and calls go on with the last table; "
        + "joins, moves and "
        + "takeovers wait: {Reason}")]
    private static partial void LogAway(ILogger logger, string store, int count, string reason);

    [LoggerMessage(
        5032, LogLevel.Error,
        "The {Store} does not answer for this cluster ({Count} failures). Reads, writes and calls go on with the last "
        + "table; joins, moves and takeovers wait: {Reason}")]
    private static partial void LogUnusable(ILogger logger, string store, int count, string reason);

    [LoggerMessage(5031, LogLevel.Information, "The {Store} answers again after {Away} and {Count} failures")]
    private static partial void LogBack(ILogger logger, string store, TimeSpan away, int count);
}
