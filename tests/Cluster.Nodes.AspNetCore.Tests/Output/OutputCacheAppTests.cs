using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Output;

/// <summary>Pages of two web nodes over real HTTP, with the output cache in the cluster.</summary>
public sealed class OutputCacheAppTests : IAsyncLifetime
{
    private readonly WebCluster _cluster = new();
    private readonly HttpClient _http = new();
    private int _runs;

    public Task InitializeAsync() => _cluster.StartAsync(
        2,
        static (builder, cluster) =>
        {
            cluster.AddOutputCacheStore();
            builder.Services.AddOutputCache();
        },
        node =>
        {
            node.UseRouting();
            node.UseOutputCache();
            node.MapGet("/page", () => $"run {Interlocked.Increment(ref _runs)}")
                .CacheOutput(static policy => policy.Expire(TimeSpan.FromHours(1)).Tag("pages"));
            node.MapGet("/evict", static async (IOutputCacheStore store, CancellationToken cancellationToken) =>
            {
                await store.EvictByTagAsync("pages", cancellationToken);
                return Results.Ok();
            });
        });

    public async Task DisposeAsync()
    {
        _http.Dispose();
        await _cluster.DisposeAsync();
    }

    [Fact]
    public async Task Page_RunsOnceForBothNodes_UntilItsTagIsEvicted()
    {
        Assert.Equal("run 1", await GetAsync(0, "/page"));
        Assert.Equal("run 1", await GetAsync(1, "/page"));
        Assert.Equal("run 2", await GetAsync(1, "/page?other=1"));
        Assert.Equal("run 2", await GetAsync(0, "/page?other=1"));
        await GetAsync(1, "/evict");
        Assert.Equal("run 3", await GetAsync(0, "/page"));
        Assert.Equal("run 3", await GetAsync(1, "/page"));
        Assert.Equal("run 4", await GetAsync(1, "/page?other=1"));
    }

    // The key of a page contains its host; behind a load balancer, all nodes have the same.
    private async Task<string> GetAsync(int node, string path)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, _cluster.Nodes[node].Urls.First() + path);
        request.Headers.Host = "shop.example";
        using var response = await _http.SendAsync(request);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadAsStringAsync();
    }
}
