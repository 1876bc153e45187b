using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Hybrid;

internal sealed partial class ClusterHybridCache
{
    [LoggerMessage(6220, LogLevel.Error,
        "A value is not cached: it is larger than ClusterHybridCacheOptions.MaximumPayloadBytes, which is {Limit}")]
    private static partial void LogTooLarge(ILogger logger, int limit);

    [LoggerMessage(6221, LogLevel.Error,
        "A value is not cached: the serializer refuses it. Add its types with ConfigureTypes in AddClusterHybridCache")]
    private static partial void LogRefused(ILogger logger, Exception failure);

    [LoggerMessage(6222, LogLevel.Error,
        "A value is not cached: the cluster could not read the generations of its tags")]
    private static partial void LogTagFailure(ILogger logger, Exception failure);
}
