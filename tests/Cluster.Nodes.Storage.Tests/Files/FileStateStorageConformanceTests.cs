using Cluster.Nodes.Storage.Files;
using Cluster.Nodes.Storage.Tests.Storages;
using Cluster.Testing;

namespace Cluster.Nodes.Storage.Tests.Files;

/// <summary>The suite over files.</summary>
public sealed class FileStateStorageConformanceTests : StateStorageConformanceTests
{
    private readonly TemporaryFolder _folder = new();

    protected override bool IsAvailable => true;

    protected override Task<IStateStorage<string, StorageSample>> OpenAsync() =>
        Task.FromResult<IStateStorage<string, StorageSample>>(FileStateStorage<string, StorageSample>.Open(
            Path.Combine(_folder.Path, "accounts"),
            new StoredStateOptions<string, StorageSample>().CreateFormat(),
            new StorageOwner("shop", "accounts"),
            TimeProvider.System));

    protected override Task CloseAsync(IStateStorage<string, StorageSample> storage)
    {
        ((IDisposable)storage).Dispose();
        return Task.CompletedTask;
    }

    protected override Task EndAsync()
    {
        _folder.Dispose();
        return Task.CompletedTask;
    }
}
