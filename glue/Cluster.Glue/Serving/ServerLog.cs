using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Serving;

/// <summary>The log lines of the serving side, with fixed ids. Immutable.</summary>
internal sealed partial class ServerLog(ILogger<ServerLog> logger)
{
    [LoggerMessage(1001, LogLevel.Information, "Glue listens on {Address}.")]
    public partial void Listening(string address);

    [LoggerMessage(1002, LogLevel.Information, "Glue stops taking calls and drains {Count} links.")]
    public partial void Draining(int count);

    [LoggerMessage(1003, LogLevel.Debug, "Link from {Peer} is open.")]
    public partial void LinkOpened(string peer);

    [LoggerMessage(1004, LogLevel.Debug, "Link from {Peer} ended: {Reason}")]
    public partial void LinkEnded(string peer, string reason);

    [LoggerMessage(1005, LogLevel.Warning, "A connection from {Address} was refused: {Reason}")]
    public partial void LinkRefused(string address, string reason);

    [LoggerMessage(1010, LogLevel.Debug, "A connection from {Address} came too late, this server stops: {Reason}")]
    public partial void LinkCameTooLate(string address, string reason);

    [LoggerMessage(1006, LogLevel.Warning, "One-way call of {Method} failed.")]
    public partial void OneWayFailed(Exception exception, string method);

    [LoggerMessage(1007, LogLevel.Error, "The service behind {Method} could not be created.")]
    public partial void ServiceNotCreated(Exception exception, string method);

    [LoggerMessage(1008, LogLevel.Warning, "The scope of a call of {Method} failed to close.")]
    public partial void ScopeNotClosed(Exception exception, string method);

    [LoggerMessage(
        1011, LogLevel.Warning, "{Method} kept its connection waiting for {Time}: it runs on the pool from now on.")]
    public partial void InlineEnded(string method, TimeSpan time);

    [LoggerMessage(1009, LogLevel.Warning, "A one-way call from {Peer} was refused: {Reason}")]
    public partial void OneWayRefused(string peer, string reason);
}
