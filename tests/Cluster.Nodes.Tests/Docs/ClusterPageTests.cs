using Cluster.StateStore;
using Cluster.StateStore.Changes;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Docs;

/// <summary>Runs what <c>docs/cluster.md</c> shows.</summary>
public sealed class ClusterPageTests
{
    [Fact]
    public async Task States_AsPrinted_Work()
    {
        // <snippet:states>
        var builder = Host.CreateApplicationBuilder();
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()
            .AddState<string, Product>("products", state =>
            {
                state.Backups = 1;                                          // one copy on another node
                state.AllowOperation<Take>();
            })
            .AddState<string, Cart>("sessions", state =>
                state.DefaultExpiry = StateExpiry.Sliding(TimeSpan.FromMinutes(20)))
            .AddCache<int, string>("pages", state => state.NearCacheBytes = 64 << 20);
        // </snippet:states>
        using var host = builder.Build();
        await host.StartAsync();
        var products = host.Services.GetRequiredService<IPartitionedState<string, Product>>();
        var pages = host.Services.GetRequiredService<IPartitionedState<int, string>>();

        // <snippet:use>
        var version = await products.PutAsync("tea", new Product { Stock = 10 });
        var tea = await products.GetAsync("tea");
        var isTaken = await products.UpdateAsync("tea", new Take(3));
        var replaced = await products.PutIfVersionAsync("tea", new Product { Stock = 99 }, version);  // null: changed since
        // </snippet:use>
        Assert.Equal((10, true, null), (tea!.Stock, isTaken, replaced));

        // <snippet:load>
        var page = await pages.GetOrAddAsync(7, async (number, time) => await ReadPageAsync(number, time));
        // </snippet:load>
        Assert.Equal("page 7", page);

        // <snippet:scan>
        await foreach (var record in products.ScanAsync())
            Console.WriteLine($"{record.Key}: {record.Value?.Stock}");
        // </snippet:scan>

        using var ended = new CancellationTokenSource();
        var copy = new ConcurrentDictionary<string, Product?>();
        var watching = WatchAsync(products, copy, ended.Token);
        await Eventually.TrueAsync(() => copy.GetValueOrDefault("tea")?.Stock == 7, TimeSpan.FromSeconds(30));
        await products.RemoveAsync("tea");
        await Eventually.TrueAsync(() => copy.IsEmpty, TimeSpan.FromSeconds(30));
        await ended.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => watching);
        await host.StopAsync();
    }

    private static async Task WatchAsync(
        IPartitionedState<string, Product> products,
        ConcurrentDictionary<string, Product?> copy,
        CancellationToken cancellationToken)
    {
        // <snippet:watch>
        await foreach (var change in products.WatchAsync(cancellationToken))
        {
            switch (change.Kind)
            {
                case StateChangeKind.Began:                                 // read the partition, then follow it
                    await foreach (var record in products.ScanPartitionAsync(change.Partition, cancellationToken))
                        copy[record.Key] = record.Value;
                    break;
                case StateChangeKind.Stored:
                    copy[change.Key!] = change.Value;
                    break;
                default:                                                    // removed, or expired
                    copy.TryRemove(change.Key!, out _);
                    break;
            }
        }

        // </snippet:watch>
    }

    private static ValueTask<string?> ReadPageAsync(int number, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new($"page {number}");
    }

    [Fact]
    public async Task Snapshots_AsPrinted_BringTheClusterBack()
    {
        using var temporary = new TemporaryFolder();
        var (folder, storeFolder) = (Path.Combine(temporary.Path, "snapshots"), Path.Combine(temporary.Path, "store"));
        using (var first = Build())
        {
            await first.StartAsync();
            await ProductsOf(first).PutAsync("tea", new Product { Stock = 10 });
            await first.StopAsync();
        }

        using var second = Build();
        await second.StartAsync();
        Assert.Equal(10, (await ProductsOf(second).GetAsync("tea"))?.Stock);
        await second.StopAsync();

        IHost Build()
        {
            var builder = Host.CreateApplicationBuilder();
            // <snippet:snapshots>
            builder.AddCluster(options =>
                {
                    options.NodeName = "shop-1";                                // a node finds its snapshots by its name
                    options.SnapshotFolder = folder;
                    options.SnapshotInterval = TimeSpan.FromMinutes(2);
                })
                .UseFileStore(storeFolder)
                .AddState<string, Product>("products");
            // </snippet:snapshots>
            return builder.Build();
        }

        static IPartitionedState<string, Product> ProductsOf(IHost host) =>
            host.Services.GetRequiredService<IPartitionedState<string, Product>>();
    }

    [Fact]
    public async Task Folder_OfANode_IsMade()
    {
        using var folders = new TemporaryFolder();
        var (folder, storeFolder) = (Path.Combine(folders.Path, "shop-1"), Path.Combine(folders.Path, "store"));
        var builder = Host.CreateApplicationBuilder();
        // <snippet:mapped>
        builder.AddCluster(options =>
            {
                options.NodeName = "shop-1";                                // the folder belongs to the node of this name
                options.MappedFolder = folder;                              // one folder for each node, such as /dev/shm/shop-1
            })
            .UseFileStore(storeFolder)
            .AddState<string, Product>("products");
        // </snippet:mapped>
        using var host = builder.Build();
        await host.StartAsync();
        await host.StopAsync();
        Assert.True(File.Exists(Path.Combine(folder, "marks")));
    }
}
