using System.Net.Http.Json;
using Cluster.Testing;

namespace Samples.Tests;

public sealed class HybridCachePageTests
{
    [Fact]
    public async Task SlowValue_IsMadeOnceForBothNodes_AndAgainAfterItsTagIsRemoved()
    {
        using var folder = new SampleFolder();
        await using var one = Start("one", folder);
        var first = await SampleProcess.WaitForAddressAsync(one);
        await using var two = Start("two", folder);
        var second = await SampleProcess.WaitForAddressAsync(two);
        using var http = new HttpClient();

        var products = await Task.WhenAll(ReadAsync(http, first), ReadAsync(http, second), ReadAsync(http, first));
        Assert.Equal(1, products[0].Question);
        Assert.All(products, product => Assert.Equal(products[0], product));

        using var eviction = await http.PostAsync(new Uri(first, "evict"), null);
        eviction.EnsureSuccessStatusCode();
        await Eventually.TrueAsync(
            async () => await ReadAsync(http, first) != products[0] && await ReadAsync(http, second) != products[0],
            SampleProcess.Bound);
        Assert.Equal(await ReadAsync(http, first), await ReadAsync(http, second));
    }

    private static ChildProcess Start(string node, SampleFolder folder) => SampleProcess.Start(
        "HybridCachePage", folder.Path, ["--urls=http://127.0.0.1:0", $"--Cluster:NodeName={node}"]);

    private static async Task<Shown> ReadAsync(HttpClient http, Uri node) =>
        (await http.GetFromJsonAsync<Shown>(new Uri(node, "products/7")))!;

    private sealed record Shown(int Id, string Name, string MadeBy, int Question);
}
