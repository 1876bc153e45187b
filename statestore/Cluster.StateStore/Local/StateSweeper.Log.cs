using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Local;

/// <summary>What the sweep logs.</summary>
internal sealed partial class StateSweeper
{
    [LoggerMessage(4010, LogLevel.Error, "Looking for expired values failed; it will be tried again.")]
    private partial void LogSweepFailed(Exception exception);
}
