using System.Diagnostics.Metrics;
using Cluster.Nodes.Storage.Access;
using Cluster.Nodes.Storage.Settings;
using Cluster.Nodes.Storage.States;
using Cluster.Nodes.Storage.Tests.Storages;
using Cluster.Nodes.Storage.Writing;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>A stored state of one node without its cluster, by a clock that the test moves.</summary>
internal sealed class WriterFixture : IAsyncDisposable
{
    private readonly ServiceProvider _services = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly StorageMetrics _metrics;

    public WriterFixture(Action<StoredStateOptions<string, Account>> configure)
    {
        var options = new StoredStateOptions<string, Account> { Storage = _ => Storage };
        configure(options);
        var settings = StoredStateSettings<string, Account>.Read("accounts", options);
        _metrics = new StorageMetrics(_services.GetRequiredService<IMeterFactory>());
        var health = new StorageHealth("accounts", _metrics, NullLogger<StorageHealth>.Instance);
        var access = new StorageAccess<string, Account>(settings, Storage, health, Time);
        var cluster = new OneNodeCluster();
        Memory = new RecordedMemory(Time);
        Writer = new StateWriter<string, Account>(settings, Memory, access, _metrics, cluster);
        Accounts = new StoredState<string, Account>(
            settings, Memory, access, new OwnerWriter<string>(Writer, new NoOwners(), cluster, Time), Time);
        Writer.Start();
    }

    public ManualTimeProvider Time { get; } = new();

    public MemoryStorage<string, Account> Storage { get; } = new();

    public RecordedMemory Memory { get; }

    public StateWriter<string, Account> Writer { get; }

    public IPartitionedState<string, Account> Accounts { get; }

    public async ValueTask DisposeAsync()
    {
        await Writer.DisposeAsync();
        _metrics.Dispose();
        await _services.DisposeAsync();
    }

    /// <summary>The node owns all keys itself, so nobody else is asked.</summary>
    private sealed class NoOwners : IOwnerClient<IStorageWriter>
    {
        public IStorageWriter? FindOwner<TKey>(string state, TKey key)
            where TKey : notnull => null;
    }
}
