using System.Net.Sockets;

namespace Cluster.SystemTests.Shop;

/// <summary>Starts of the shop that fail. They need little of the machine, so they need not wait for the tests under
/// load.</summary>
public sealed class ShopStartTests
{
    private static readonly TimeSpan StartBound = TimeSpan.FromMinutes(4);

    [Fact]
    public async Task PortInUse_Given_EndsWithAMessageAndItsExitCode()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var port = ((IPEndPoint)other.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        await using var shop = ShopProcess.Start("--headless", "--port", port);

        Assert.Equal(71, await shop.WaitForExitAsync(StartBound));

        var line = Assert.Single(shop.Lines);
        Assert.Contains($"Port {port} cannot be used for the web page", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task WrongArguments_Many_AreAllNamedWithoutAStackTrace()
    {
        await using var shop = ShopProcess.Start("--json", "--seconds", "none", "--nodes", "0", "--consul", "there");

        Assert.Equal(64, await shop.WaitForExitAsync(StartBound));

        Assert.Equal(5, shop.Lines.Count);
        Assert.Equal("Try --help.", shop.Lines[^1]);
        ShopTests.CheckNoStackTrace(shop);
    }

    [Fact]
    public async Task FolderThatIsAFile_EndsWithAMessageAndItsExitCode()
    {
        var file = Path.GetTempFileName();
        try
        {
            await using var shop = ShopProcess.Start("--headless", "--data", file);

            Assert.Equal(73, await shop.WaitForExitAsync(StartBound));

            Assert.Contains(shop.Lines, line => line.Contains(file, StringComparison.Ordinal));
            ShopTests.CheckNoStackTrace(shop);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task NoConsul_EndsWithAMessageAndItsExitCode()
    {
        await using var shop = ShopProcess.Start(
            static start => start.Environment["Cluster__StartTimeout"] = "00:00:02",
            "--headless", "--consul", "http://127.0.0.1:1");

        Assert.Equal(69, await shop.WaitForExitAsync(StartBound));

        ShopTests.CheckNoStackTrace(shop);
        Assert.Contains(shop.Lines, static line => line.Contains("127.0.0.1:1", StringComparison.Ordinal));
        Assert.Contains(shop.Lines, static line => line.Contains("within 2 s", StringComparison.Ordinal));
    }
}
