using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Sessions;

internal sealed partial class SessionRefusals
{
    [LoggerMessage(6100, LogLevel.Information, "A request names a session that has expired or never existed")]
    private static partial void LogExpired(ILogger logger);

    [LoggerMessage(6101, LogLevel.Error, "A session could not be read, so the request has none")]
    private static partial void LogReadFailure(ILogger logger, Exception failure);

    [LoggerMessage(6102, LogLevel.Warning, "Loading a session took longer than SessionOptions.IOTimeout")]
    private static partial void LogLoadTimeout(ILogger logger);

    [LoggerMessage(6103, LogLevel.Warning, "Saving a session took longer than SessionOptions.IOTimeout")]
    private static partial void LogCommitTimeout(ILogger logger);

    [LoggerMessage(6104, LogLevel.Information, "A session is not saved, because it could not be read")]
    private static partial void LogNotAvailable(ILogger logger);
}
