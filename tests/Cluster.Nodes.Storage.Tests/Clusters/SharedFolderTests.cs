using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>Two clusters, or two states of one, that are pointed at the same folder.</summary>
public sealed class SharedFolderTests : IDisposable
{
    private readonly TemporaryFolder _temporary = new();

    public void Dispose() => _temporary.Dispose();

    [Fact]
    public async Task Cluster_OfAnotherName_IsRefusedAtItsStart_AndTheOwnerGoesOn()
    {
        using var shop = Build("shop", ("accounts", "values"));
        await shop.StartAsync();
        var accounts = AccountsOf(shop, "accounts");
        await accounts.PutAsync("a", new Account { Balance = 3 });

        using var depot = Build("depot", ("accounts", "values"));
        var refusal = await Assert.ThrowsAsync<ClusterStartException>(() => depot.StartAsync());

        Assert.Equal(ClusterExitCode.StoreIncompatible, refusal.ExitCode);
        string[] parts = ["cluster 'shop'", "cluster 'depot'", "UseFiles", Path.Combine(_temporary.Path, "values")];
        Assert.All(parts, part => Assert.Contains(part, refusal.Message, StringComparison.Ordinal));
        Assert.Equal(4, await accounts.UpdateAsync("a", new Deposit(1)));
        await shop.StopAsync();
    }

    [Fact]
    public async Task States_OfOneCluster_InOneFolder_AreRefused_AndInTwoFoldersTheyWork()
    {
        using (var mixed = Build("shop", ("accounts", "values"), ("savings", "values")))
        {
            var refusal = await Assert.ThrowsAsync<ClusterStartException>(() => mixed.StartAsync());
            string[] parts = ["state 'accounts'", "state 'savings'", "folder of its own"];
            Assert.All(parts, part => Assert.Contains(part, refusal.Message, StringComparison.Ordinal));
        }

        for (var life = 0; life < 2; life++)
        {
            using var apart = Build("shop", ("accounts", "values"), ("savings", "more values"));
            await apart.StartAsync();
            Assert.Equal(life + 1, await AccountsOf(apart, "accounts").UpdateAsync("a", new Deposit(1)));
            Assert.Equal((life + 1) * 10, await AccountsOf(apart, "savings").UpdateAsync("a", new Deposit(10)));
            await apart.StopAsync();
        }
    }

    private static IPartitionedState<string, Account> AccountsOf(IHost host, string state) =>
        host.Services.GetRequiredKeyedService<IPartitionedState<string, Account>>(state);

    private IHost Build(string cluster, params (string Name, string Folder)[] states)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var added = builder.AddCluster(options =>
            {
                options.Name = cluster;
                options.PartitionCount = 16;
                options.PileBudgetBytes = 64 << 20;
            })
            .UseInMemoryStore();
        foreach (var (name, folder) in states)
        {
            added.AddStoredState<string, Account>(
                name, storage => storage.UseFiles(Path.Combine(_temporary.Path, folder)));
        }

        return builder.Build();
    }
}
