using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Docs;

/// <summary>Runs what docs/performance.md shows.</summary>
public sealed class PerformancePageTests
{
    [Fact]
    public async Task Sizes_AsPrinted_Work()
    {
        // <snippet:sizes>
        var builder = Host.CreateApplicationBuilder();
        builder.AddCluster(options => options.PileBudgetBytes = 6L << 30)       // of a container with 8 GiB
            .UseInMemoryStore()
            .AddState<string, byte[]>("pages", state =>
            {
                state.NearCacheBytes = 64 << 20;                                // in each process, for this state
                state.MaxValueBytes = 256 << 10;                                // larger values are refused
            });
        // </snippet:sizes>
        builder.Services.Configure<ClusterOptions>(options => options.PileBudgetBytes = 64 << 20);
        using var host = builder.Build();
        await host.StartAsync();
        var pages = host.Services.GetRequiredService<IPartitionedState<string, byte[]>>();
        await pages.PutAsync("index", new byte[256]);
        Assert.Equal(256, (await pages.GetAsync("index"))!.Length);
        await Assert.ThrowsAsync<StateRefusedException>(
            async () => await pages.PutAsync("large", new byte[257 << 10]));
        await host.StopAsync();
    }
}
