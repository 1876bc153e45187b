using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>A whole cluster ends, and another one finds its values in the storage.</summary>
public sealed class RestartTests(ITestOutputHelper output)
{
    private const int LeftBehind = 5006;
    private const int Died = 5043;
    private const int Lost = 5044;

    [Theory]
    [InlineData(StorageWrites.Through)]
    [InlineData(StorageWrites.Behind)]
    public async Task Cluster_StoppedAsAWhole_FindsEverythingInItsFiles(StorageWrites writes)
    {
        using var folder = new TemporaryFolder();
        await using (var first = new StorageCluster(output))
        {
            // A node that stops a little later may see the other one go with its partitions.
            first.Logs.Allow(LeftBehind, Died, Lost);
            var nodes = await first.StartAsync(2, Configure);
            for (var index = 0; index < 100; index++)
                await nodes[index % 2].Accounts.PutAsync($"{index}", new Account { Balance = index });
            await nodes[0].Accounts.UpdateAsync("5", new Deposit(100));
            await nodes[1].Accounts.RemoveAsync("6");
            await Task.WhenAll(nodes.Select(node => node.Host.StopAsync()));
        }

        await using var second = new StorageCluster(output);
        var accounts = (await second.StartAsync(2, Configure))[1].Accounts;
        for (var index = 0; index < 100; index++)
        {
            int? expected = index switch { 5 => 105, 6 => null, _ => index };
            Assert.Equal(expected, (await accounts.GetAsync($"{index}"))?.Balance);
        }

        void Configure(StoredStateOptions<string, Account> options)
        {
            options.Writes = writes;
            options.UseFiles(Path.Combine(folder.Path, "accounts"));
        }
    }

    [Fact]
    public async Task Cluster_KilledAsAWhole_FindsEverythingThatWasWrittenThrough()
    {
        using var folder = new TemporaryFolder();
        await using (var first = new StorageCluster(output))
        {
            var nodes = await first.StartAsync(2, Configure);
            for (var index = 0; index < 50; index++)
                await nodes[index % 2].Accounts.PutAsync($"{index}", new Account { Balance = index });
        }

        await using var second = new StorageCluster(output);
        var accounts = (await second.StartAsync(1, Configure))[0].Accounts;
        for (var index = 0; index < 50; index++)
            Assert.Equal(index, (await accounts.GetAsync($"{index}"))?.Balance);

        void Configure(StoredStateOptions<string, Account> options) =>
            options.UseFiles(Path.Combine(folder.Path, "accounts"));
    }
}
