using System.Net.Http.Json;
using Cluster.Nodes.AspNetCore.Sessions;
using Cluster.Nodes.AspNetCore.Tests.Clusters;
using Cluster.Nodes.AspNetCore.Tests.Refusals;
using Cluster.Nodes.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary><c>app.UseSession()</c> on three nodes, with a browser that reaches another node with each
/// request.</summary>
public sealed class SessionPipelineTests : IAsyncLifetime
{
    // The key ring of the tests lies in a folder without encryption.
    private const int UnencryptedKeys = 35;

    private const string CookieName = ".AspNetCore.Session";

    private readonly WebCluster _cluster = new();
    private readonly DirectoryInfo _keys = Directory.CreateTempSubdirectory("web-keys-");

    public Task InitializeAsync()
    {
        _cluster.Logs.Allow(UnencryptedKeys);
        return _cluster.StartAsync(3, Compose, Map);
    }

    public async Task DisposeAsync()
    {
        await _cluster.DisposeAsync();
        _keys.Delete(recursive: true);
    }

    [Fact]
    public async Task Session_OnOtherNodes_IsTheSame()
    {
        using var browser = new HttpClient();
        for (var number = 0; number < 6; number++)
            await PostAsync(browser, node: number % 3, $"key-{number}");
        for (var node = 0; node < 3; node++)
            Assert.Equal(6, (await KeysAsync(browser, node)).Length);
    }

    [Fact]
    public async Task RequestsAtOnce_OnDifferentNodes_LoseNothing()
    {
        using var browser = new HttpClient();
        await PostAsync(browser, 0, "first");
        for (var round = 0; round < 10; round++)
        {
            await Task.WhenAll(
                Enumerable.Range(0, 6).Select(number => PostAsync(browser, number % 3, $"key-{round}-{number}")));
        }

        Assert.Equal(61, (await KeysAsync(browser, 1)).Length);
    }

    [Fact]
    public async Task ForgedCookie_GetsANewEmptySession()
    {
        _cluster.Logs.Allow(
            static entry => entry.Category.StartsWith("Microsoft.AspNetCore.Session", StringComparison.Ordinal));
        using var honest = new HttpClient();
        await PostAsync(honest, 0, "mine");
        using var client = new HttpClient(new HttpClientHandler { UseCookies = false });
        using var counts = new RefusalCounts(_cluster.Nodes[1].Services);
        foreach (var cookie in (string[])["forged", Guid.NewGuid().ToString(), "CfDJ8AAAA"])
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, AddressOf(1, "keys"));
            request.Headers.Add("Cookie", $"{CookieName}={cookie}");
            using var answer = await client.SendAsync(request);
            Assert.Empty((await answer.Content.ReadFromJsonAsync<string[]>())!);
        }

        Assert.Equal(3, counts[SessionRecord.StateName, "cookie_unreadable"]);
    }

    [Fact]
    public async Task Request_WithoutChange_SendsNoCookie()
    {
        using var client = new HttpClient();
        using var answer = await client.GetAsync(new Uri(AddressOf(0, "keys")));
        Assert.False(answer.Headers.Contains("Set-Cookie"));
    }

    private void Compose(WebApplicationBuilder builder, ClusterBuilder cluster)
    {
        builder.Services.AddDataProtection().PersistKeysToFileSystem(_keys).SetApplicationName("web");
        cluster.AddClusterSession();
    }

    private static void Map(WebApplication app)
    {
        app.UseRouting();
        app.UseSession();
        app.MapPost("/set/{key}", async context =>
        {
            await context.Session.LoadAsync();
            context.Session.SetInt32((string)context.Request.RouteValues["key"]!, 1);
        });
        app.MapGet("/keys", context => context.Response.WriteAsJsonAsync(context.Session.Keys.ToArray()));
    }

    private async Task PostAsync(HttpClient browser, int node, string key)
    {
        using var answer = await browser.PostAsync(new Uri(AddressOf(node, $"set/{key}")), content: null);
        answer.EnsureSuccessStatusCode();
    }

    private async Task<string[]> KeysAsync(HttpClient browser, int node) =>
        (await browser.GetFromJsonAsync<string[]>(new Uri(AddressOf(node, "keys"))))!;

    private string AddressOf(int node, string path) => $"{_cluster.Nodes[node].Urls.First()}/{path}";
}
