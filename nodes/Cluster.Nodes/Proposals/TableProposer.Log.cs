using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Proposals;

internal sealed partial class TableProposer
{
    [LoggerMessage(
        5010, LogLevel.Information,
        "The cluster store did not answer a change of the table; its outcome is unknown until it does: {Reason}")]
    private static partial void LogOutcomeUnknown(ILogger logger, string reason);
}
