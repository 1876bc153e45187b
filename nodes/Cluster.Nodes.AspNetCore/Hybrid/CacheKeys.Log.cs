using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Hybrid;

internal sealed partial class CacheKeys
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
}
