using Cluster.Pile.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.Nodes.Stores.Files;

/// <summary>The rule for the folder of a file store: folder and files belong to the user of this process, and no other
/// user may enter. A user who may write there can stop the cluster, and a user who may only read can lock its files.
/// Owned by one store; immutable.</summary>
internal sealed partial class StoreFolderRule(bool allowsShared, ILogger logger)
{
    private const UnixFileMode ForOthers =
        UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    private const string Harm = "Whoever can write there can stop this cluster and read its secret.";

    /// <summary>The rule without the exception for shared folders.</summary>
    public static StoreFolderRule Strict { get; } = new(allowsShared: false, NullLogger.Instance);

    /// <summary>Makes the store's folders where they are missing, and checks folders and files that are
    /// there.</summary>
    /// <exception cref="ClusterStoreException">Another user can change what is stored.</exception>
    public void Enforce(StoreFolder folder)
    {
        PrivateFolder.Create(folder.ClusterFolder);
        PrivateFolder.Create(folder.LivesFolder);
        foreach (var path in PathsIn(folder))
        {
            if (PrivateFolder.FindRisk(path) is not { } risk)
                continue;
            if (!allowsShared)
                throw Refusal(path, risk);

            // One warning is enough: the other files of such a folder have the same risk.
            LogShared(logger, LogText.Clean(path), LogText.Clean(risk), LogText.Clean(Harm));
            return;
        }

        if (!allowsShared)
            CloseToOthers(folder);
    }

    private static IEnumerable<string> PathsIn(StoreFolder folder) =>
    [
        folder.ClusterFolder, folder.LivesFolder,
        .. Directory.EnumerateFiles(folder.ClusterFolder),
        .. Directory.EnumerateFiles(folder.LivesFolder).Take(FileStoreLimits.EndedLivesRemovedMax),
    ];

    // An earlier version made the files readable for all users, and a reader can lock a file.
    private static void CloseToOthers(StoreFolder folder)
    {
        foreach (var path in Directory.EnumerateFiles(folder.ClusterFolder))
            PrivateFolder.Protect(path);
        if (OperatingSystem.IsWindows())
            return;
        foreach (var path in new[] { folder.ClusterFolder, folder.LivesFolder })
        {
            var mode = File.GetUnixFileMode(path);
            if ((mode & ForOthers) != 0)
                File.SetUnixFileMode(path, mode & ~ForOthers);
        }
    }

    private static ClusterStoreException Refusal(string path, string risk) => new(
        ClusterStoreError.Unusable,
        $"{path}: {risk}. {Harm} Give it to the user of this process (chown) and take the right to write from others "
        + "(chmod go-w), or choose another folder. Where a container volume allows neither, set "
        + $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.AllowSharedFolder)} to true.");
}
