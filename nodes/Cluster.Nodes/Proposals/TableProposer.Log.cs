using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Proposals;

internal sealed partial class TableProposer
{
    [LoggerMessage(
        5010, LogLevel.Information,
        "The cluster store did not answer a change of the table; its outcome is unknown until it does: {Reason}")]
    private static partial void LogOutcomeUnknown(ILogger logger, string reason);

    [LoggerMessage(
        5011, LogLevel.Debug,
        "The cluster store has not answered a change of the table {Count} times; its outcome is still unknown: "
        + "{Reason}")]
    private static partial void LogStillUnknown(ILogger logger, int count, string reason);
}
