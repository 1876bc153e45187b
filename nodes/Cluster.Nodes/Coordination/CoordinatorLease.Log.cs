using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Coordination;

internal sealed partial class CoordinatorLease
{
    [LoggerMessage(5060, LogLevel.Information, "This node is the coordinator")]
    private static partial void LogLeaseHeld(ILogger logger);

    [LoggerMessage(5061, LogLevel.Warning, "This node is no longer the coordinator: its lease was lost")]
    private static partial void LogLeaseLost(ILogger logger);
}
