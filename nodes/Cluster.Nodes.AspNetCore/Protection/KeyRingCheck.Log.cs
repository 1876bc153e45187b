using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Protection;

internal sealed partial class KeyRingCheck
{
    [LoggerMessage(6300, LogLevel.Warning,
        "{Count} nodes are active, and Data Protection of this node keeps its keys where the other nodes do not find "
        + "them, so cookies and sessions of this node are refused elsewhere. After AddCluster, call "
        + "AddDataProtection().PersistKeysToCluster(), or another PersistKeysTo… method with a place that all nodes "
        + "share")]
    private static partial void LogUnsharedKeys(ILogger logger, int count);
}
