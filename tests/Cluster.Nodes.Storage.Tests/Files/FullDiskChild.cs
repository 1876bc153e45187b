using Cluster.Nodes.Storage.Files;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Tests.Files;

/// <summary>The program of this assembly, which a test runs as a child process on a small disk. One node stores values,
/// the disk becomes full, the node writes on, and there is room again. A check that fails ends the process with an
/// exception. It prints what users see: the messages of failed writes, or the log of the storage.</summary>
internal sealed class FullDiskChild(StorageWrites writes, string disk)
{
    private const int KeyCount = 20;
    private const string Large = "large";
    private const int StoresFail = 7003;
    private const int StoresWork = 7004;

    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    private static async Task<int> Main(string[] arguments)
    {
        if (arguments is not [var writes, var disk])
            return 2;
        await new FullDiskChild(Enum.Parse<StorageWrites>(writes), disk).RunAsync();
        return 0;
    }

    private async Task RunAsync()
    {
        using var logs = new LogRecorder().Allow(static _ => true);
        using (var node = Build(logs))
        {
            await node.StartAsync();
            var accounts = AccountsOf(node);
            for (var index = 0; index < KeyCount; index++)
                await accounts.PutAsync($"{index}", new Account { Balance = index });
            await Eventually.TrueAsync(
                async () => await HasAllAsync(static index => index), Bound, "the values are stored");

            FillDisk();
            await WriteOnAFullDiskAsync(accounts);
            await logs.WaitForAsync(StoresFail, Bound);
            Assert.True(await HasAllAsync(static index => index), "A value that was stored is gone.");
            await Eventually.TrueAsync(() => !DraftsIn(disk).Any(), Bound, "no drafts stay on the disk");
            await SeeNewValuesAsync(accounts);

            File.Delete(FillerPath);
            await Eventually.TrueAsync(HasNewValuesAsync, Bound, "the values are stored when there is room");
            await logs.WaitForAsync(StoresWork, Bound);
            await node.StopAsync();
        }

        // Nothing that was acknowledged is lost: the next cluster finds it all.
        using var next = Build(logs);
        await next.StartAsync();
        await SeeNewValuesAsync(AccountsOf(next));
        await next.StopAsync();
        if (writes == StorageWrites.Behind)
            TellLog(logs);
    }

    private string FillerPath => Path.Combine(disk, "filler");

    private string Folder => Path.Combine(disk, "accounts");

    private static IPartitionedState<string, Account> AccountsOf(IHost node) =>
        node.Services.GetRequiredService<IPartitionedState<string, Account>>();

    private static IEnumerable<string> DraftsIn(string folder) =>
        Directory.EnumerateFiles(folder, "*.draft", SearchOption.AllDirectories);

    private static void TellLog(LogRecorder logs)
    {
        foreach (var entry in logs.Entries.Where(entry => entry.Event.Id is StoresFail or StoresWork))
            Console.WriteLine($"{entry.Event.Id} {entry.Message}");
    }

    // The large value fits in the filler's place alone.
    private async Task WriteOnAFullDiskAsync(IPartitionedState<string, Account> accounts)
    {
        await WriteAsync(async () => await accounts.UpdateAsync("3", new Deposit(100)));
        await WriteAsync(async () => await accounts.PutAsync(Large, new Account { Note = new string('x', 100_000) }));

        async Task WriteAsync(Func<Task> write)
        {
            if (writes == StorageWrites.Behind)
            {
                await write();
                return;
            }

            Console.WriteLine((await Assert.ThrowsAsync<StateStorageException>(write)).Message);
        }
    }

    private static async Task SeeNewValuesAsync(IPartitionedState<string, Account> accounts)
    {
        Assert.Equal(103, (await accounts.GetAsync("3"))!.Balance);
        Assert.Equal(100_000, (await accounts.GetAsync(Large))!.Note.Length);
        Assert.Equal(4, (await accounts.GetAsync("4"))!.Balance);
    }

    private async ValueTask<bool> HasNewValuesAsync()
    {
        using var storage = Open();
        return await HasAllAsync(static index => index == 3 ? 103 : index)
            && (await storage.LoadAsync(Large, CancellationToken.None))?.Value?.Note.Length == 100_000;
    }

    private async ValueTask<bool> HasAllAsync(Func<int, int> balanceOf)
    {
        using var storage = Open();
        for (var index = 0; index < KeyCount; index++)
        {
            var record = await storage.LoadAsync($"{index}", CancellationToken.None);
            if (record?.Value?.Balance != balanceOf(index))
                return false;
        }

        return true;
    }

    private FileStateStorage<string, Account> Open() => FileStateStorage<string, Account>.Open(
        Folder,
        new StoredStateOptions<string, Account>().CreateFormat(),
        new StorageOwner("storage", "accounts"),
        TimeProvider.System);

    private void FillDisk()
    {
        using var filler = File.Create(FillerPath);
        try
        {
            while (true)
                filler.Write(new byte[4_096]);
        }
        catch (IOException)
        {
            // The disk is full.
        }
    }

    private IHost Build(LogRecorder logs)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(logs.Provider);
        builder.AddCluster(options =>
            {
                options.Name = "storage";
                options.PartitionCount = 16;
                options.PileBudgetBytes = 64 << 20;
            })
            .UseInMemoryStore()
            .AddStoredState<string, Account>("accounts", storage =>
            {
                storage.UseFiles(Folder);
                (storage.Writes, storage.WriteDelay) = (writes, TimeSpan.FromMilliseconds(10));
            });
        return builder.Build();
    }
}
