using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Writing;

internal sealed partial class StorageLifetime
{
    [LoggerMessage(
        7011, LogLevel.Error,
        "State '{State}': this node stops with {Count} values that its storage does not have, and no other node has "
        + "taken them over. Only a snapshot can bring them back")]
    private static partial void LogNotStored(ILogger logger, string state, int count);
}
