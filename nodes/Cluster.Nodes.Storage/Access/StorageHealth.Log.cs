using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Access;

internal sealed partial class StorageHealth
{
    [LoggerMessage(
        7001, LogLevel.Warning,
        "State '{State}': its storage cannot be read; reads of keys that are not in memory fail: {Reason}")]
    private static partial void LogLoadsFail(ILogger logger, string state, string reason);

    [LoggerMessage(7002, LogLevel.Information, "State '{State}': its storage can be read again")]
    private static partial void LogLoadsWork(ILogger logger, string state);

    [LoggerMessage(
        7003, LogLevel.Warning,
        "State '{State}': its storage stores nothing; values wait in memory and are tried again: {Reason}")]
    private static partial void LogStoresFail(ILogger logger, string state, string reason);

    [LoggerMessage(7004, LogLevel.Information, "State '{State}': its storage stores again")]
    private static partial void LogStoresWork(ILogger logger, string state);
}
