using System.Net.Sockets;
using Cluster.Testing;
using Xunit.Sdk;

namespace Cluster.ConventionTests.TestKit;

/// <summary>The guarantees of bounded waits to tests.</summary>
public sealed class EventuallyTests
{
    [Fact]
    public async Task True_WhenTheConditionComesTrueLater_Ends()
    {
        var asked = 0;
        await Eventually.TrueAsync(() => ++asked == 3, TimeSpan.FromMinutes(1));
        Assert.Equal(3, asked);
    }

    [Fact]
    public async Task True_WhenTheConditionStaysFalse_FailsAndNamesIt()
    {
        var never = false;
        var failure = await Assert.ThrowsAsync<XunitException>(
            () => Eventually.TrueAsync(() => never, TimeSpan.FromMilliseconds(20)));
        Assert.Contains("() => never", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Value_WhenTheProbeYields_ReturnsIt() =>
        Assert.Equal("found", await Eventually.ValueAsync(() => "found", TimeSpan.FromMinutes(1)));

    [Fact]
    public void FreePorts_TakenTogether_AreDifferent() => Assert.Equal(120, FreePorts.Take(120).Distinct().Count());

    [Fact]
    public void FreePorts_BlockOfAPort_IsClaimedAgainstOtherProcesses()
    {
        // A block begins at a multiple of its length, and a process reserves the block by listening on its first port.
        var first = FreePorts.Next() / 50 * 50;
        using var rival = new TcpListener(IPAddress.Loopback, first);
        Assert.Throws<SocketException>(rival.Start);
    }

    [Fact]
    public async Task RefusingPort_Connected_Refuses()
    {
        using var port = new RefusingPort();
        using var client = new TcpClient();
        var failure = await Assert.ThrowsAsync<SocketException>(
            () => client.ConnectAsync(IPAddress.Loopback, port.Number));
        Assert.Equal(SocketError.ConnectionRefused, failure.SocketErrorCode);
    }
}
