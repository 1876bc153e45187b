using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Stores.Files;

internal sealed partial class StoreFolderRule
{
    [LoggerMessage(
        5033, LogLevel.Warning,
        "{Path}: {Risk}. {Harm} It is used because Cluster:AllowSharedFolder is set")]
    private static partial void LogShared(ILogger logger, string path, string risk, string harm);
}
