using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Observation;

/// <summary>The log lines of the serving side, with fixed ids. Texts that a peer has chosen are cleaned here, whatever
/// was done with them before. Lines that a stranger can cause are bounded. Its parts protect themselves.</summary>
internal sealed partial class ServerLog : IDisposable
{
    private readonly ILogger _logger;
    private readonly RefusalLines _links;
    private readonly RefusalLines _oneWays;
    private readonly RefusalLines _undecided;
    private readonly RefusalLines _unidentified;

    public ServerLog(ILogger<ServerLog> logger, TimeProvider time)
    {
        _logger = logger;
        _links = new RefusalLines(time, LogLinkRefused, LogLinksRefused);
        _oneWays = new RefusalLines(time, LogOneWayRefused, LogOneWaysRefused);
        _undecided = new RefusalLines(time, LogUndecided, LogManyUndecided);
        _unidentified = new RefusalLines(time, LogUnidentified, LogManyUnidentified);
    }

    public void LinkOpened(string peer) =>
        LogLinkOpened(LogText.Clean(peer));

    public void LinkEnded(string peer, string reason) =>
        LogLinkEnded(LogText.Clean(peer), LogText.Clean(reason));

    public void LinkRefused(string address, string reason) =>
        _links.Add(LogText.Clean(address), LogText.Clean(reason));

    public void LinkCameTooLate(string address, string reason) =>
        LogLinkCameTooLate(LogText.Clean(address), LogText.Clean(reason));

    public void OneWayRefused(string peer, string reason) =>
        _oneWays.Add(LogText.Clean(peer), LogText.Clean(reason));

    /// <summary>Logs the failure of an authorization handler or policy.</summary>
    public void AccessNotDecided(Exception exception, string method) =>
        _undecided.Add(LogText.Clean(method), LogText.Clean(exception.ToString()));

    /// <summary>Logs the failure of an authentication handler, without its message, which may quote a token.</summary>
    public void CallerNotIdentified(Exception exception) =>
        _unidentified.Add(LogText.Clean($"{exception.GetType()}"), LogText.Clean($"{exception.StackTrace}"));

    public void Listening(string address) => LogListening(LogText.Clean(address));

    public void OneWayFailed(Exception exception, string method) =>
        LogOneWayFailed(LogText.Clean(exception), LogText.Clean(method));

    public void ServiceNotCreated(Exception exception, string method) =>
        LogServiceNotCreated(LogText.Clean(exception), LogText.Clean(method));

    public void ScopeNotClosed(Exception exception, string method) =>
        LogScopeNotClosed(LogText.Clean(exception), LogText.Clean(method));

    public void InlineEnded(string method, TimeSpan time) => LogInlineEnded(LogText.Clean(method), time);

    /// <summary>Logs the refusals that were only counted so far.</summary>
    public void Dispose()
    {
        _links.Dispose();
        _oneWays.Dispose();
        _undecided.Dispose();
        _unidentified.Dispose();
    }

    [LoggerMessage(1001, LogLevel.Information, "Glue listens on {Address}.", EventName = nameof(Listening))]
    private partial void LogListening(string address);

    [LoggerMessage(
        1012, LogLevel.Warning, "This Glue server offers no contract: call AddService on what AddGlueServer returns.")]
    public partial void NoServices();

    [LoggerMessage(1002, LogLevel.Information, "Glue stops taking calls and drains {Count} links.")]
    public partial void Draining(int count);

    [LoggerMessage(1003, LogLevel.Debug, "Link from {Peer} is open.", EventName = nameof(LinkOpened))]
    private partial void LogLinkOpened(string peer);

    [LoggerMessage(1004, LogLevel.Debug, "Link from {Peer} ended: {Reason}", EventName = nameof(LinkEnded))]
    private partial void LogLinkEnded(string peer, string reason);

    [LoggerMessage(
        1005, LogLevel.Warning, "A connection from {Address} was refused: {Reason}",
        EventName = nameof(LinkRefused))]
    private partial void LogLinkRefused(string address, string reason);

    [LoggerMessage(
        1010, LogLevel.Debug, "A connection from {Address} came too late, this server stops: {Reason}",
        EventName = nameof(LinkCameTooLate))]
    private partial void LogLinkCameTooLate(string address, string reason);

    [LoggerMessage(1006, LogLevel.Warning, "One-way call of {Method} failed.", EventName = nameof(OneWayFailed))]
    private partial void LogOneWayFailed(Exception exception, string method);

    [LoggerMessage(
        1007, LogLevel.Error, "The service behind {Method} could not be created.",
        EventName = nameof(ServiceNotCreated))]
    private partial void LogServiceNotCreated(Exception exception, string method);

    [LoggerMessage(
        1008, LogLevel.Warning, "The scope of a call of {Method} failed to close.",
        EventName = nameof(ScopeNotClosed))]
    private partial void LogScopeNotClosed(Exception exception, string method);

    [LoggerMessage(
        1011, LogLevel.Warning, "{Method} kept its connection waiting for {Time}: it runs on the pool from now on.",
        EventName = nameof(InlineEnded))]
    private partial void LogInlineEnded(string method, TimeSpan time);

    [LoggerMessage(
        1009, LogLevel.Warning, "A one-way call from {Peer} was refused: {Reason}",
        EventName = nameof(OneWayRefused))]
    private partial void LogOneWayRefused(string peer, string reason);

    [LoggerMessage(
        1013, LogLevel.Warning, "{Count} more connections were refused, at last one from {Address}: {Reason}")]
    private partial void LogLinksRefused(long count, string address, string reason);

    [LoggerMessage(
        1014, LogLevel.Warning, "{Count} more one-way calls were refused, at last one from {Peer}: {Reason}")]
    private partial void LogOneWaysRefused(long count, string peer, string reason);

    [LoggerMessage(
        1015, LogLevel.Error, "Authorization failed, and the call is refused, in {Place}: {Reason}",
        EventName = nameof(AccessNotDecided))]
    private partial void LogUndecided(string place, string reason);

    [LoggerMessage(
        1016, LogLevel.Error, "Authorization failed {Count} times more, at last in {Place}: {Reason}")]
    private partial void LogManyUndecided(long count, string place, string reason);

    [LoggerMessage(
        1017, LogLevel.Error, "Who a caller is could not be found out: {Failure} {Stack}",
        EventName = nameof(CallerNotIdentified))]
    private partial void LogUnidentified(string failure, string stack);

    [LoggerMessage(
        1018, LogLevel.Error, "Who a caller is could not be found out {Count} times more, at last: {Failure} {Stack}")]
    private partial void LogManyUnidentified(long count, string failure, string stack);
}
