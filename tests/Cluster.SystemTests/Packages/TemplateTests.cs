using System.Net.Http.Json;
using System.Text.Json;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Cluster.Testing.Consul;

namespace Cluster.SystemTests.Packages;

/// <summary>Creates projects from the templates, builds them with nothing but the packages, and runs them.</summary>
[Collection(nameof(PackedLibraries))]
public sealed class TemplateTests(TemplateHive hive) : IClassFixture<TemplateHive>, IDisposable
{
    // The analysis that this repository uses, too.
    private const string Analysis = "-p:AnalysisLevel=latest-recommended";

    private static readonly TimeSpan CopyBound = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("template");

    private string Store => Path.Combine(_folder.FullName, "store");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Web_KeepsSessionsAndValues_WhenTheNodeThatHadThemStops()
    {
        // A hyphen cannot be part of a namespace.
        var folder = await hive.CreateAsync(_folder.FullName, "Tea-Shop", "cluster-web");
        await BuildAsync(folder);
        await using var first = await TemplateProgram.StartNodeAsync(
            folder, Store, "--Cluster:NodeName=node1", "--urls=http://127.0.0.1:0");
        await using var second = await TemplateProgram.StartNodeAsync(
            folder, Store, "--Cluster:NodeName=node2", "--urls=http://127.0.0.1:0");
        using var browser = new HttpClient();
        var (one, two) = (TemplateProgram.PagesOf(first), TemplateProgram.PagesOf(second));

        Assert.Equal("Healthy", await browser.GetStringAsync(new Uri(one, "health/live")));
        // Until each value has its copy, the node serves and is degraded.
        await Eventually.TrueAsync(
            async () => await browser.GetStringAsync(new Uri(two, "health/ready")) == "Healthy", CopyBound);
        var home = await browser.GetFromJsonAsync<JsonElement>(two);
        Assert.Equal("node2", home.GetProperty("node").GetString());
        Assert.Equal(["node1", "node2"], home.GetProperty("nodes").EnumerateArray().Select(node => node.GetString()));

        Assert.Equal("1", await PostAsync(browser, one, "visits"));
        Assert.Equal("2", await PostAsync(browser, two, "visits"));
        Assert.Equal("1", await PostAsync(browser, one, "votes/tea"));
        Assert.Equal("2", await PostAsync(browser, two, "votes/tea"));
        Assert.Equal("tea, made by node1", await browser.GetStringAsync(new Uri(one, "pages/tea")));
        Assert.Equal("tea, made by node1", await browser.GetStringAsync(new Uri(two, "pages/tea")));

        await TemplateProgram.StopAsync(first);
        Assert.Equal("3", await PostAsync(browser, two, "visits"));
        Assert.Equal("2", await browser.GetStringAsync(new Uri(two, "votes/tea")));
        Assert.Equal("tea, made by node1", await browser.GetStringAsync(new Uri(two, "pages/tea")));
        await TemplateProgram.StopAsync(second);
    }

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Service_IsCalledByItsClient_AndKeepsItsStateWhenANodeStops()
    {
        var folder = await hive.CreateAsync(_folder.FullName, "Post.Office", "cluster-service");
        await BuildAsync(folder, Analysis);
        var service = Path.Combine(folder, "Post.Office.Node");
        await using var first = await TemplateProgram.StartNodeAsync(service, Store);
        Assert.Equal((0, "tea: 10"), await CallAsync(folder, "add", "tea", "10"));

        await using var second = await TemplateProgram.StartNodeAsync(service, Store);
        await TemplateProgram.StopAsync(first);
        Assert.Equal((0, "tea: 7"), await CallAsync(folder, "take", "tea", "3"));
        Assert.Equal((1, "There are not 8 of tea."), await CallAsync(folder, "take", "tea", "8"));
        await TemplateProgram.StopAsync(second);
    }

    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task WebWithConsul_NeedsNoConsulInDevelopment_AndUsesItInProduction()
    {
        var folder = await hive.CreateAsync(_folder.FullName, "Shop", "cluster-web", "--store", "consul");
        await BuildAsync(folder, Analysis);
        await CheckVoteAsync(folder, "--environment=Development");

        await using var consul = await ConsulServer.StartAsync();
        await CheckVoteAsync(
            folder, "--environment=Production", "--Cluster:Bootstrap=true", $"--Cluster:Consul:Address={consul.Address}");
    }

    private async Task CheckVoteAsync(string folder, params string[] arguments)
    {
        await using var node = await TemplateProgram.StartNodeAsync(
            folder, Store, ["--urls=http://127.0.0.1:0", .. arguments]);
        using var browser = new HttpClient();
        Assert.Equal("1", await PostAsync(browser, TemplateProgram.PagesOf(node), "votes/tea"));
        await TemplateProgram.StopAsync(node);
    }

    private static Task<string> BuildAsync(string folder, params string[] arguments) =>
        DotnetCommand.RunAsync(folder, ["build", "-c", "Release", "-warnaserror", .. arguments]);

    private static async Task<string> PostAsync(HttpClient browser, Uri node, string path)
    {
        using var response = await browser.PostAsync(new Uri(node, path), content: null);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadAsStringAsync();
    }

    // The exit code of the client and the only line that it prints.
    private async Task<(int Code, string Output)> CallAsync(string folder, params string[] arguments)
    {
        await using var client = TemplateProgram.Start(
            Path.Combine(folder, "Post.Office.Client"), [.. arguments, $"--Store:Folder={Store}"]);
        var code = await client.WaitForExitAsync(TimeSpan.FromMinutes(2));
        return (code, client.Output);
    }
}
