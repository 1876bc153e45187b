using Cluster.Nodes;
using Cluster.Nodes.Consul;
using Cluster.Nodes.Stores;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.NodeHost.Tests;

/// <summary>Nodes keep running while all data of their Consul are removed. A member that never answers keeps them from
/// restoring the table by themselves. The operator then restores it, and another node joins.</summary>
[Trait("Case", "repair-C11")]
public sealed class EmptiedConsulTests : IAsyncLifetime
{
    private const int EntryCount = 40;
    private static readonly TimeSpan WaitBudget = TimeSpan.FromMinutes(1);

    private readonly string _export = Path.Combine(Path.GetTempPath(), $"cluster-{Guid.NewGuid():N}.json");
    private readonly List<IHost> _hosts = [];
    private ConsulServer? _consul;

    public async Task InitializeAsync()
    {
        if (ConsulBinary.Missing is null)
            _consul = await ConsulServer.StartAsync();
    }

    public async Task DisposeAsync()
    {
        foreach (var host in _hosts)
            await ((IAsyncDisposable)host).DisposeAsync();
        if (_consul is not null)
            await _consul.DisposeAsync();
        File.Delete(_export);
    }

    [ConsulFact]
    public async Task Import_WhileNodesRun_LetsAnotherNodeJoinAndLosesNothing()
    {
        var first = await StartAsync("n1", bootstrap: true);
        await StartAsync("n2");
        await WaitUntilSharedAsync(2);
        var texts = first.Services.GetRequiredService<IPartitionedState<string, string>>();
        for (var index = 0; index < EntryCount; index++)
            await texts.PutAsync($"k{index}", $"v{index}");
        await AddSilentMemberAsync();
        await RunAsync("table", "export", "--to", _export);

        await _consul!.DeleteKeysAsync("");
        await Assert.ThrowsAsync<ClusterStartException>(() => StartAsync("n3", budget: TimeSpan.FromSeconds(2)));
        await RunAsync("table", "import", "--from", _export, "--yes");

        var third = await StartAsync("n3");
        await WaitUntilSharedAsync(3);
        var seen = third.Services.GetRequiredService<IPartitionedState<string, string>>();
        for (var index = 0; index < EntryCount; index++)
            Assert.Equal($"v{index}", await seen.GetAsync($"k{index}"));
        Assert.All(first.Services.GetRequiredService<ITableView>().Current.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    private async Task AddSilentMemberAsync()
    {
        await using var store = ConsulClusterStore.Create(
            "shop", new ConsulOptions { Address = _consul!.Address }, TimeProvider.System, NullLoggerFactory.Instance);
        await Eventually.TrueAsync(
            async () =>
            {
                var table = await store.ReadTableAsync(TableConsistency.Consistent, CancellationToken.None);
                var joined = StoreTables.WithNewMember(table, "silent");
                return await store.CompareAndSwapAsync(joined, null, CancellationToken.None) == SwapOutcome.Swapped;
            },
            WaitBudget);
    }

    private async Task RunAsync(params string[] arguments)
    {
        var (code, said) = await Operator.RunAsync([.. arguments, "--name", "shop", "--consul", _consul!.Address]);
        Assert.True(code == 0, said);
    }

    private async Task<IHost> StartAsync(string name, bool bootstrap = false, TimeSpan? budget = null)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster(options =>
            {
                options.Name = "shop";
                options.NodeName = name;
                options.Bootstrap = bootstrap;
                options.PileBudgetBytes = 32 << 20;
                options.Backups = 0;
                options.StartTimeout = budget ?? WaitBudget;
                if (bootstrap)
                    options.PartitionCount = 32;
            })
            .UseConsul(options => options.Address = _consul!.Address)
            .AddState<string, string>("texts");
        var host = builder.Build();
        _hosts.Add(host);
        await host.StartAsync();
        return host;
    }

    private Task WaitUntilSharedAsync(int count) => Eventually.TrueAsync(
        () => _hosts[0].Services.GetRequiredService<ITableView>().Current is var table
            && table.Partitions.All(entry => entry is { Primary: not null, Joining: null, InSync.Count: 1 })
            && table.Partitions.Select(entry => entry.Primary).Distinct().Count() == count
            && table.Members.Count(member => member.State == MemberState.Active) == count,
        WaitBudget,
        $"all partitions shared by {count} nodes");
}
