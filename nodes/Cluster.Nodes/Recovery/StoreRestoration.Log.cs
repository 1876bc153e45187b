using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Recovery;

internal sealed partial class StoreRestoration
{
    [LoggerMessage(
        5110, LogLevel.Error,
        "The {Store} was emptied. The nodes do not write table {Version} again, because these members do not report "
        + "their version: {Missing}. Resume them or end their processes; docs/operations.md says what else to do")]
    private static partial void LogMissing(ILogger logger, string store, long version, string missing);

    [LoggerMessage(
        5111, LogLevel.Warning,
        "This node has written table {Version} with {MemberCount} members into the {Store}, which was emptied")]
    private static partial void LogRestored(ILogger logger, long version, int memberCount, string store);
}
