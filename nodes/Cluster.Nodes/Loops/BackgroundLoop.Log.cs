using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Loops;

internal sealed partial class BackgroundLoop
{
    [LoggerMessage(5020, LogLevel.Error, "{Loop} failed {Count} times in a row; it goes on")]
    private static partial void LogStepFailed(ILogger logger, string loop, int count, Exception failure);
}
