using Cluster.Testing;

namespace Samples.Tests;

public sealed class SessionInPageTests
{
    [Fact]
    public async Task Session_IsTheSameOnBothNodes_AndStaysWhenOneIsKilled()
    {
        using var folder = new SampleFolder();
        await using var one = Start("one", folder);
        var first = await SampleProcess.WaitForAddressAsync(one);
        await using var two = Start("two", folder);
        var second = await SampleProcess.WaitForAddressAsync(two);

        // Cookies belong to a host, whatever its port, so both nodes get the cookie of the session.
        using var browser = new HttpClient();
        await AddAsync(browser, first, "tea");
        await AddAsync(browser, second, "tea");
        await AddAsync(browser, second, "sugar");
        Assert.Contains("1 sugar, 2 tea", await browser.GetStringAsync(first), StringComparison.Ordinal);

        // The second node has just come. Until it has its copies, the end of the first one would take sessions with it.
        await Eventually.TrueAsync(async () => await ShowsAsync(browser, new Uri(second, "health"), "Healthy")
            && await ShowsAsync(browser, new Uri(first, "health"), "Healthy"), SampleProcess.Bound);
        one.KillAlone();
        await Eventually.TrueAsync(async () => await ShowsAsync(browser, second, "1 sugar, 2 tea"), SampleProcess.Bound);
    }

    private static ChildProcess Start(string node, SampleFolder folder) => SampleProcess.Start(
        "SessionInPage", folder.Path, ["--urls=http://127.0.0.1:0", $"--Cluster:NodeName={node}"]);

    private static async Task AddAsync(HttpClient browser, Uri node, string product)
    {
        using var answer = await browser.PostAsync(new Uri(node, $"add/{product}"), null);
        answer.EnsureSuccessStatusCode();
    }

    private static async Task<bool> ShowsAsync(HttpClient browser, Uri node, string text)
    {
        using var answer = await browser.GetAsync(node);
        return answer.IsSuccessStatusCode
            && (await answer.Content.ReadAsStringAsync()).Contains(text, StringComparison.Ordinal);
    }
}
