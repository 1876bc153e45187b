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
}
