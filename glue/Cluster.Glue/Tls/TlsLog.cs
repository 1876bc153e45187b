using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tls;

/// <summary>The log lines about certificates, with fixed ids. Immutable.</summary>
internal sealed partial class TlsLog(ILogger<TlsLog> logger)
{
    public void NotRenewed(string reason) => LogNotRenewed(LogText.Clean(reason));

    [LoggerMessage(
        1101, LogLevel.Warning, "A changed certificate is refused, the old one stays in use: {Reason}",
        EventName = nameof(NotRenewed))]
    private partial void LogNotRenewed(string reason);

    public void CheckFailed(Exception exception) => LogCheckFailed(LogText.Clean(exception));

    [LoggerMessage(
        1102, LogLevel.Error, "The check for a changed certificate failed; the next check tries again",
        EventName = nameof(CheckFailed))]
    private partial void LogCheckFailed(Exception exception);
}
