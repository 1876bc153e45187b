using System.Text.Json;
using Cluster.Testing.Consul;

namespace Cluster.SystemTests.Shop;

/// <summary>The shop with a real Consul instead of the file store.</summary>
[Collection(nameof(ShopTests))]
public sealed class ShopConsulTests
{
    private static readonly TimeSpan FailBound = TimeSpan.FromMinutes(4);

    [ConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Headless_WithConsul_AnswersEveryCallAndStartsAgainInTheSamePlace()
    {
        await using var consul = await ConsulServer.StartAsync();

        CheckHealthy(await ShopProcess.RunForSummaryAsync(2, "--consul", consul.Address));
        CheckHealthy(await ShopProcess.RunForSummaryAsync(2, "--consul", consul.Address));
    }

    [ConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task Headless_WithConsulAndKillAfter_GoesOnAndLosesNoSession()
    {
        await using var consul = await ConsulServer.StartAsync();

        ShopTests.CheckNoSessionIsLost(
            await ShopProcess.RunForSummaryAsync(8, "--consul", consul.Address, "--kill-after", "2"));
    }

    [ConsulFact]
    public async Task WrongToken_EndsWithAMessageAndItsExitCode()
    {
        await using var consul = await ConsulServer.StartAsync(ConsulAccess.TokenRequired);
        await using var shop = ShopProcess.Start(
            start => start.Environment["CONSUL_HTTP_TOKEN"] = "wrong", "--headless", "--consul", consul.Address);

        Assert.Equal(77, await shop.WaitForExitAsync(FailBound));

        ShopTests.CheckNoStackTrace(shop);
        Assert.Contains(shop.Lines, static line => line.Contains("token", StringComparison.OrdinalIgnoreCase));
    }

    private static void CheckHealthy(JsonElement summary)
    {
        ShopTests.CheckNames(summary);
        Assert.Equal(0, summary.GetProperty("errors").GetInt64());
        Assert.Equal(0, summary.GetProperty("sessionsLost").GetInt64());
        Assert.True(summary.GetProperty("calls").GetInt64() > ShopTests.CallsMin, summary.ToString());
    }
}
