using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Watching;

internal sealed partial class EventJournal
{
    [LoggerMessage(5040, LogLevel.Information, "Node {Node} joined (table {Version})")]
    private static partial void LogJoined(ILogger logger, string node, long version);

    [LoggerMessage(5041, LogLevel.Information, "Node {Node} hands its partitions over (table {Version})")]
    private static partial void LogDraining(ILogger logger, string node, long version);

    [LoggerMessage(5042, LogLevel.Information, "Node {Node} left (table {Version})")]
    private static partial void LogLeft(ILogger logger, string node, long version);

    [LoggerMessage(5043, LogLevel.Warning, "Node {Node} died (table {Version}): {Reason}")]
    private static partial void LogDied(ILogger logger, string node, long version, string reason);

    [LoggerMessage(
        5044, LogLevel.Warning,
        "{Count} partitions of node {Node} lost their contents, {Entries} (table {Version}): {Reason}")]
    private static partial void LogLost(
        ILogger logger, int count, string node, string entries, long version, string reason);

    [LoggerMessage(5045, LogLevel.Information, "{Count} partitions moved to node {Node} (table {Version})")]
    private static partial void LogMoved(ILogger logger, int count, string node, long version);

    [LoggerMessage(5046, LogLevel.Information,
        "{Count} partitions got their first owner, node {Node} (table {Version})")]
    private static partial void LogAssigned(ILogger logger, int count, string node, long version);

    [LoggerMessage(5047, LogLevel.Information,
        "{Count} partitions have fewer copies than their states ask for (table {Version})")]
    private static partial void LogCopiesMissing(ILogger logger, int count, long version);

    [LoggerMessage(5048, LogLevel.Information,
        "All partitions have as many copies as their states ask for (table {Version})")]
    private static partial void LogCopiesComplete(ILogger logger, long version);
}
