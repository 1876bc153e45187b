using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

internal sealed partial class ClusterNode
{
    [LoggerMessage(
        5002, LogLevel.Information,
        "Node {Node} is an active member of cluster {Cluster}, at {Address}, liveness endpoint {LifeAddress}, {Store}")]
    private static partial void LogNodeReady(
        ILogger logger, NodeId node, string cluster, string address, string lifeAddress, string store);

    [LoggerMessage(
        5009, LogLevel.Warning,
        "Cluster:Secret is not set: every process of this machine that reaches {Address} can do what a node does. Set "
        + "it on every node and client, in the configuration or by the environment variable Cluster__Secret")]
    private static partial void LogNoSecret(ILogger logger, string address);

    [LoggerMessage(5003, LogLevel.Information, "Client of cluster {Cluster}, {Store}, {PartitionCount} partitions")]
    private static partial void LogClientReady(ILogger logger, string cluster, string store, int partitionCount);

    [LoggerMessage(5004, LogLevel.Information, "Node {Node} has left the cluster")]
    private static partial void LogNodeLeft(ILogger logger, NodeId node);

    [LoggerMessage(
        5011, LogLevel.Warning,
        "Node {Node} has not saved all snapshots within {Timeout} (Cluster:DrainTimeout); the ones before stay")]
    private static partial void LogSnapshotsUnsaved(ILogger logger, NodeId node, TimeSpan timeout);

    [LoggerMessage(
        5005, LogLevel.Warning,
        "Node {Node} ends without having told the {Store}, which does not answer; "
        + "the others will find out by themselves")]
    private static partial void LogLeaveUnsaid(ILogger logger, NodeId node, string store);
}
