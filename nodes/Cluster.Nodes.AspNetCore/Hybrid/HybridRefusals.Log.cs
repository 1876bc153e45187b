using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Hybrid;

internal sealed partial class HybridRefusals
{
    [LoggerMessage(6200, LogLevel.Error, "Nothing is cached for an empty key")]
    private static partial void LogEmptyKey(ILogger logger);

    [LoggerMessage(6201, LogLevel.Error,
        "Nothing is cached for a key of {Length} characters: ClusterHybridCacheOptions.MaximumKeyLength is {Limit}")]
    private static partial void LogLongKey(ILogger logger, int length, int limit);

    [LoggerMessage(6202, LogLevel.Error,
        "Nothing is cached for a key with control characters or invalid Unicode")]
    private static partial void LogUnprintableKey(ILogger logger);

    [LoggerMessage(6203, LogLevel.Error,
        "Nothing is cached with a tag of more than {Limit} characters or with invalid Unicode")]
    private static partial void LogBadTag(ILogger logger, int limit);

    [LoggerMessage(6210, LogLevel.Error, "The hybrid cache could not read from the cluster, so the factory runs")]
    private static partial void LogReadFailure(ILogger logger, Exception failure);

    [LoggerMessage(6211, LogLevel.Error,
        "A value is not cached: the cluster refuses it. Add its types with ConfigureTypes in AddClusterHybridCache, or "
        + "raise MaximumPayloadBytes there")]
    private static partial void LogRefusedByState(ILogger logger, Exception failure);

    [LoggerMessage(6212, LogLevel.Error, "A value is not cached: the cluster could not store it")]
    private static partial void LogWriteFailure(ILogger logger, Exception failure);

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
