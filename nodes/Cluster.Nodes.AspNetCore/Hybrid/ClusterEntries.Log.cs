using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Hybrid;

internal sealed partial class ClusterEntries
{
    [LoggerMessage(6210, LogLevel.Error, "The hybrid cache could not read from the cluster, so the factory runs")]
    private static partial void LogReadFailure(ILogger logger, Exception failure);

    [LoggerMessage(6211, LogLevel.Error,
        "A value is not cached: the cluster refuses it. Add its types with ConfigureTypes in AddClusterHybridCache, or "
        + "raise MaximumPayloadBytes there")]
    private static partial void LogRefused(ILogger logger, Exception failure);

    [LoggerMessage(6212, LogLevel.Error, "A value is not cached: the cluster could not store it")]
    private static partial void LogWriteFailure(ILogger logger, Exception failure);
}
