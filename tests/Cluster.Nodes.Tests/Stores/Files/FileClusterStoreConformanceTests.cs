using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>The file store passes the conformance suite of cluster stores.</summary>
public sealed class FileClusterStoreConformanceTests : ClusterStoreIdentityConformanceTests, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    protected override IClusterStore OpenCore(string clusterName) =>
        new FileClusterStore(_folder.Path, clusterName, TimeProvider.System) { WaitBudget = TestWaitBudget.Long };

    protected override Task WipeAsync(string clusterName)
    {
        Directory.Delete(Path.Combine(_folder.Path, clusterName), recursive: true);
        return Task.CompletedTask;
    }
}
