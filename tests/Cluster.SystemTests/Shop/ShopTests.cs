using System.Text.Json;
using Cluster.Testing;

namespace Cluster.SystemTests.Shop;

/// <summary>Runs the shop as its user does.</summary>
[Collection(nameof(ShopTests))]
public sealed class ShopTests
{
    /// <summary>Enough to say that the shop serves. How many it serves within seconds of its start depends on the
    /// machine; benchmarks measure that.</summary>
    internal const long CallsMin = 100;

    private static readonly TimeSpan StartBound = TimeSpan.FromMinutes(2);

    // Where a test needs some calls, but not that they keep all processors busy while its nodes start and end.
    private static readonly string[] LightLoad = ["--headless", "--seconds", "120", "--callers", "6"];

    [Fact]
    [Trait("Case", "experience-U1")]
    public async Task Headless_ThreeNodes_AnswersEveryCallFromOtherProcesses()
    {
        var started = Stopwatch.GetTimestamp();
        var summary = await ShopProcess.RunForSummaryAsync(3);

        CheckNames(summary);
        Assert.Equal(3, Number(summary, "nodes"));
        Assert.InRange(
            summary.GetProperty("seconds").GetDouble(), 3, Stopwatch.GetElapsedTime(started).TotalSeconds);
        Assert.True(Number(summary, "calls") > CallsMin, summary.ToString());
        Assert.True(Number(summary, "remoteCalls") >= 0.6 * Number(summary, "calls"), summary.ToString());
        Assert.Equal(0, Number(summary, "errors"));
        Assert.Equal(0, Number(summary, "unavailable"));
        Assert.Equal(0, Number(summary, "sessionsLost"));
        Assert.Equal(0, Number(summary, "killed"));
        Assert.True(Number(summary, "sessions") > 100, summary.ToString());
        Assert.True(Number(summary, "pileBytes") > 0, summary.ToString());
    }

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Headless_KillAfter_GoesOnAndLosesNoSession()
    {
        var summary = await ShopProcess.RunForSummaryAsync(8, "--kill-after", "2");

        CheckNoSessionIsLost(summary);
    }

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task ParentKilled_BySignal_TakesItsNodesAlong()
    {
        await using var shop = ShopProcess.Start(LightLoad);
        await WaitUntilReadyAsync(shop);
        var nodes = ShopProcess.ChildrenOf(shop.Id);
        Assert.Equal(3, nodes.Count);

        shop.KillAlone();

        await Eventually.TrueAsync(() => !nodes.Any(ShopProcess.IsAlive), StartBound);
    }

    [RequiresUnixFact]
    public async Task Interrupted_BySignal_SumsUpAndTakesItsNodesAlong()
    {
        await using var shop = ShopProcess.Start(LightLoad);
        await WaitUntilReadyAsync(shop);
        var nodes = ShopProcess.ChildrenOf(shop.Id);

        shop.Send(ProcessSignal.Terminate);

        Assert.Equal(0, await shop.WaitForExitAsync(StartBound));
        Assert.Contains(shop.Lines, static line => line.StartsWith("3 nodes", StringComparison.Ordinal));
        Assert.DoesNotContain(nodes, ShopProcess.IsAlive);
    }

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task NoTerminal_PrintsPlainLinesAndTheSummary()
    {
        await using var shop = ShopProcess.Start("--seconds", "3");

        Assert.Equal(0, await shop.WaitForExitAsync(ShopProcess.Margin));

        Assert.DoesNotContain('\u001b', shop.Output);
        Assert.Contains(shop.Lines, static line => line.Contains("calls/s  p50", StringComparison.Ordinal));
        Assert.Contains("errors 0, unavailable 0", shop.Lines);
    }

    [Fact]
    [Trait("Case", "experience-U1")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Page_WhileItRuns_ShowsFiguresAndKillsANodeOnlyWithTheHeader()
    {
        var port = FreePorts.Next();
        await using var shop = ShopProcess.Start([.. LightLoad, "--port", port.ToString(CultureInfo.InvariantCulture)]);
        await WaitUntilReadyAsync(shop);
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };

        var html = await http.GetStringAsync(new Uri("/", UriKind.Relative));
        Assert.Contains("<title>Shop</title>", html, StringComparison.Ordinal);
        await Eventually.TrueAsync(
            async () => (await FiguresAsync(http)).GetProperty("calls").GetInt64() > 0, StartBound);
        await using var events = await http.GetStreamAsync(new Uri("/events", UriKind.Relative));
        using var reader = new StreamReader(events);
        Assert.StartsWith("data: {", await reader.ReadLineAsync(), StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.Forbidden, await PostAsync(http, "/nodes/n2/kill", withHeader: false));
        Assert.Equal(HttpStatusCode.NotFound, await PostAsync(http, "/nodes/n9/kill", withHeader: true));
        Assert.Equal(HttpStatusCode.NoContent, await PostAsync(http, "/nodes/n2/kill", withHeader: true));
        await Eventually.TrueAsync(async () => StateOf(await FiguresAsync(http), "n2") == "ended", StartBound);

        Assert.Equal(HttpStatusCode.NoContent, await PostAsync(http, "/nodes/n2/restart", withHeader: true));
        await Eventually.TrueAsync(async () => StateOf(await FiguresAsync(http), "n2") == "active", StartBound);
    }

    [RequiresUnixFact]
    [Trait("Case", "shop-keys")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "experience-X4")]
    public async Task RollingRestartAndPause_UnderLoad_LoseNoSessionAndFailNoCall()
    {
        var port = FreePorts.Next();
        await using var shop = ShopProcess.Start([.. LightLoad, "--port", port.ToString(CultureInfo.InvariantCulture)]);
        await WaitUntilReadyAsync(shop);
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        var before = ShopProcess.ChildrenOf(shop.Id);
        Assert.Equal(HttpStatusCode.NoContent, await PostAsync(http, "/nodes/restart", withHeader: true));
        Assert.Equal(HttpStatusCode.Conflict, await PostAsync(http, "/nodes/restart", withHeader: true));
        await Eventually.TrueAsync(() => !before.Any(ShopProcess.IsAlive), StartBound);
        await Eventually.TrueAsync(
            async () => (await FiguresAsync(http)).GetProperty("nodes").EnumerateArray()
                .All(node => node.GetProperty("state").GetString() == "active"),
            StartBound);
        Assert.Equal(HttpStatusCode.NoContent, await PostAsync(http, "/nodes/n2/pause", withHeader: true));
        var calls = (await FiguresAsync(http)).GetProperty("calls").GetInt64();
        await Eventually.TrueAsync(
            async () => (await FiguresAsync(http)).GetProperty("calls").GetInt64() > calls + 5_000, StartBound);
        var figures = await FiguresAsync(http);

        // The summary that the shop prints at its end names the first errors.
        shop.Send(ProcessSignal.Terminate);
        await shop.WaitForExitAsync(StartBound);
        Assert.True(figures.GetProperty("sessionsLost").GetInt64() == 0, shop.Output);
        Assert.True(figures.GetProperty("errors").GetInt64() == 0, shop.Output);
        Assert.True(figures.GetProperty("killed").GetInt64() == 0, shop.Output);
    }

    [Fact]
    [Trait("Case", "repair-D")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task TwoShops_StartedTogether_BothServeTheirPage()
    {
        string[] arguments = ["--headless", "--nodes", "1", "--seconds", "120"];
        await using var one = ShopProcess.Start(arguments);
        await using var other = ShopProcess.Start(arguments);

        var addresses = await Task.WhenAll(WaitForAddressAsync(one), WaitForAddressAsync(other));

        Assert.NotEqual(addresses[0], addresses[1]);
        foreach (var address in addresses)
        {
            using var http = new HttpClient { BaseAddress = address };
            Assert.Equal(1, (await FiguresAsync(http)).GetProperty("nodes").GetArrayLength());
        }
    }

    private static Task<string> WaitUntilReadyAsync(ChildProcess shop) => shop.WaitForLineAsync(
        static line => line.Contains("nodes are ready", StringComparison.Ordinal), StartBound);

    // The page listens only on IPv4, but a client may try "localhost" as IPv6 first.
    private static async Task<Uri> WaitForAddressAsync(ChildProcess shop)
    {
        var line = await WaitUntilReadyAsync(shop);
        return new Uri(line[line.IndexOf("http:", StringComparison.Ordinal)..].Replace("localhost", "127.0.0.1"));
    }

    internal static void CheckNoStackTrace(ChildProcess shop) =>
        Assert.DoesNotContain(shop.Lines, static line => line.TrimStart().StartsWith("at ", StringComparison.Ordinal));

    internal static void CheckNoSessionIsLost(JsonElement summary)
    {
        CheckNames(summary);
        Assert.Equal(1, Number(summary, "killed"));
        Assert.Equal(0, Number(summary, "errors"));
        Assert.Equal(0, Number(summary, "sessionsLost"));
        Assert.True(Number(summary, "calls") > CallsMin, summary.ToString());
    }

    internal static void CheckNames(JsonElement summary) => Assert.Equal(
        [
            "nodes", "seconds", "calls", "remoteCalls", "callsPerSecond", "p50Ms", "p99Ms", "errors", "unavailable",
            "sessions", "sessionsLost", "pileBytes", "gcPauseMaxMs", "killed",
        ],
        summary.EnumerateObject().Select(static property => property.Name));

    private static long Number(JsonElement summary, string name) => summary.GetProperty(name).GetInt64();

    private static async Task<JsonElement> FiguresAsync(HttpClient http)
    {
        using var document = JsonDocument.Parse(await http.GetStringAsync(new Uri("/figures", UriKind.Relative)));
        return document.RootElement.Clone();
    }

    private static string? StateOf(JsonElement figures, string node) => figures.GetProperty("nodes").EnumerateArray()
        .Single(entry => entry.GetProperty("name").GetString() == node).GetProperty("state").GetString();

    private static async Task<HttpStatusCode> PostAsync(HttpClient http, string path, bool withHeader)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, path);
        if (withHeader)
            request.Headers.Add("X-Shop-Control", "1");

        using var response = await http.SendAsync(request);
        return response.StatusCode;
    }
}
