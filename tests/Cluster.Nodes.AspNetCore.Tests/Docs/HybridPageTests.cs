using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.AspNetCore.Tests.Docs;

/// <summary>Runs what <c>docs/hybrid-cache.md</c> shows.</summary>
public sealed class HybridPageTests
{
    [Fact]
    public async Task HybridCache_AsPrinted_Works()
    {
        // <snippet:cache>
        var builder = Host.CreateApplicationBuilder();
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()
            .AddClusterHybridCache(cache => cache.ConfigureTypes(types => types.Allow<Cart>().Allow<List<Cart>>()));
        // </snippet:cache>
        using var host = builder.Build();
        await host.StartAsync();
        var cache = host.Services.GetRequiredService<HybridCache>();

        // <snippet:use>
        var cart = await cache.GetOrCreateAsync(
            "cart/7",
            async token => await ReadCartAsync(7, token),                   // runs once in the whole cluster
            new HybridCacheEntryOptions { Expiration = TimeSpan.FromMinutes(10) },
            tags: ["carts"]);
        await cache.RemoveByTagAsync("carts");                              // on all nodes
        // </snippet:use>
        Assert.Equal(7, cart.Counts["tea"]);
        await host.StopAsync();
    }

    private static async Task<Cart> ReadCartAsync(int number, CancellationToken cancellationToken)
    {
        await Task.Yield();
        cancellationToken.ThrowIfCancellationRequested();
        return new Cart { Counts = { ["tea"] = number } };
    }
}
