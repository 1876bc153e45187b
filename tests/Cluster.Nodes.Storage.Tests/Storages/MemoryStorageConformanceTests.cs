namespace Cluster.Nodes.Storage.Tests.Storages;

/// <summary>The suite over the double that other tests use.</summary>
public sealed class MemoryStorageConformanceTests : StateStorageConformanceTests
{
    private readonly MemoryStorage<string, StorageSample> _storage = new();

    protected override bool IsAvailable => true;

    protected override Task<IStateStorage<string, StorageSample>> OpenAsync() =>
        Task.FromResult<IStateStorage<string, StorageSample>>(_storage);

    protected override Task CloseAsync(IStateStorage<string, StorageSample> storage) => Task.CompletedTask;
}
