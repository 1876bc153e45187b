using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;

namespace Cluster.NodeHost.Tests;

public sealed class FileStoreOperatorTests : OperatorTests
{
    private readonly string _store = Directory.CreateTempSubdirectory("cluster-store-").FullName;

    private protected override string[] StoreOptions => ["--folder", _store];

    [Fact]
    public Task Import_IntoAnEmptiedFolder_PutsTheClusterBack() => CheckRestoreAsync();

    [Fact]
    public Task Dead_ListedNode_IsGoneWithTheOperatorAsProof() => CheckDeadAsync();

    [Fact]
    public Task Import_DamagedFile_ChangesNothing() => CheckDamagedFilesAsync();

    private protected override IClusterStore Open() => new FileClusterStore(_store, Name, TimeProvider.System);

    private protected override Task EmptyAsync()
    {
        Directory.Delete(Path.Combine(_store, Name), recursive: true);
        return Task.CompletedTask;
    }

    public override Task DisposeAsync()
    {
        Directory.Delete(_store, recursive: true);
        return base.DisposeAsync();
    }
}
