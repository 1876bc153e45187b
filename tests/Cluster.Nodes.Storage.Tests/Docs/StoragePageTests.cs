using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Storage.Tests.Docs;

/// <summary>Runs what <c>docs/storage.md</c> shows.</summary>
public sealed class StoragePageTests
{
    [Fact]
    public async Task States_AsPrinted_SurviveTheirCluster()
    {
        using var temporary = new TemporaryFolder();
        var folder = Path.Combine(temporary.Path, "accounts");
        using (var first = Build(folder))
        {
            await first.StartAsync();
            await UseAsync(first.Services.GetRequiredService<IPartitionedState<string, Account>>());
            await first.StopAsync();
        }

        using var second = Build(folder);
        await second.StartAsync();
        var accounts = second.Services.GetRequiredService<IPartitionedState<string, Account>>();
        Assert.Equal(15, (await accounts.GetAsync("ada"))!.Balance);
        await second.StopAsync();
    }

    [Fact]
    public async Task Storage_OfYourOwn_AsPrinted_Works()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddSingleton<TableStorage>();
        // <snippet:own>
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()
            .AddStoredState<string, Account>("accounts", storage =>
            {
                storage.Storage = services => services.GetRequiredService<TableStorage>();
                storage.Writes = StorageWrites.Behind;                      // acknowledged before the storage has it
                storage.WriteDelay = TimeSpan.FromSeconds(2);               // writes of a key in that time are stored as one
                storage.KeepInMemory = TimeSpan.FromHours(1);               // after the last read or write
            });
        // </snippet:own>
        using var host = builder.Build();
        await host.StartAsync();
        var accounts = host.Services.GetRequiredService<IPartitionedState<string, Account>>();
        await accounts.PutAsync("ada", new Account { Balance = 3 });
        await host.StopAsync();
        var record = await host.Services.GetRequiredService<TableStorage>().LoadAsync("ada", CancellationToken.None);
        Assert.Equal(3, record!.Value!.Balance);
    }

    private static IHost Build(string folder)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        // <snippet:files>
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()
            .AddStoredState<string, Account>("accounts", storage => storage.UseFiles(folder));
        // </snippet:files>
        return builder.Build();
    }

    private static async Task UseAsync(IPartitionedState<string, Account> accounts)
    {
        // <snippet:use>
        await accounts.PutAsync("ada", new Account { Balance = 10 });       // the storage has it when this returns
        await accounts.UpdateAsync("ada", new Deposit(5));                  // runs on the owner, and is stored
        var ada = await accounts.GetAsync("ada");                           // from memory, or from the storage
        // </snippet:use>
        Assert.Equal(15, ada!.Balance);
    }
}

// <snippet:storage>
/// <summary>A storage of your own: compare and write in one step, here under a lock.</summary>
public sealed class TableStorage : IStateStorage<string, Account>
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, StorageRecord<Account>> _rows = [];

    /// <inheritdoc />
    public ValueTask<StorageRecord<Account>?> LoadAsync(string key, CancellationToken cancellationToken)
    {
        lock (_lock)
            return new(_rows.GetValueOrDefault(key));
    }

    /// <inheritdoc />
    public ValueTask<long> StoreAsync(
        string key, StorageRecord<Account> record, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            if (_rows.TryGetValue(key, out var present) && present.Revision >= record.Revision)
                return new(present.Revision);                               // somebody has stored a newer one
            _rows[key] = record;
            return new(record.Revision);
        }
    }
}
// </snippet:storage>
