using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Consul.Client;

internal sealed partial class LeaderWatch
{
    [LoggerMessage(
        5801, LogLevel.Warning,
        "Consul has had no leader for {Seconds:0} s. What runs goes on; joins and takeovers wait. Look at its "
        + "servers.")]
    private partial void LogLeaderless(double seconds);
}
