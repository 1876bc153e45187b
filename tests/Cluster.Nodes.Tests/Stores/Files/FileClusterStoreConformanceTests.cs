using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.Testing;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>The file store passes the conformance suite of cluster stores.</summary>
public sealed class FileClusterStoreConformanceTests : ClusterStoreTroubleConformanceTests, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    protected override IClusterStore OpenCore(string clusterName) =>
        new FileClusterStore(_folder.Path, clusterName, TimeProvider.System) { WaitBudget = TestWaitBudget.Long };

    protected override Task<IClusterStore> OpenWithUnknownSwapAsync(bool isWritten) =>
        Task.FromResult<IClusterStore>(new UnansweredSwapStore(Open(), isWritten));

    // The watcher of the file system follows the folder to its new place, and tells nothing of the one that takes its
    // name.
    protected override Task LoseWatchAsync()
    {
        var folder = FolderOf(ClusterName);
        Directory.Move(folder, folder + "-moved");
        Copy(folder + "-moved", folder);
        return Task.CompletedTask;
    }

    // The file that takes the place is older than the one that was watched.
    protected override Task ResetIndexAsync()
    {
        var table = Path.Combine(FolderOf(ClusterName), "table");
        File.Copy(table, table + "-copy");
        File.SetLastWriteTimeUtc(table + "-copy", DateTime.UnixEpoch);
        File.Move(table + "-copy", table, overwrite: true);
        return Task.CompletedTask;
    }

    protected override Task WipeAsync(string clusterName)
    {
        Directory.Delete(FolderOf(clusterName), recursive: true);
        return Task.CompletedTask;
    }

    private string FolderOf(string clusterName) => Path.Combine(_folder.Path, clusterName);

    private static void Copy(string from, string to)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(to);
        else
            Directory.CreateDirectory(to, File.GetUnixFileMode(from));
        foreach (var file in Directory.GetFiles(from))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        foreach (var folder in Directory.GetDirectories(from))
            Copy(folder, Path.Combine(to, Path.GetFileName(folder)));
    }
}
