using System.Net;
using System.Net.Sockets;
using Cluster.Testing;
using Shop.Web;

namespace Shop.Tests.Web;

public sealed class PagePortTests
{
    [Fact]
    public void Choose_FreeWish_IsTaken()
    {
        var port = FreePorts.Next();

        Assert.Equal(new PagePort(port, null), PagePort.Choose(port));
    }

    [Fact]
    public void Choose_WishInUse_IsRefusedWithTheRemedy()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var port = ((IPEndPoint)other.LocalEndpoint).Port;

        var failure = Assert.Throws<ShopStartException>(() => PagePort.Choose(port));

        Assert.Equal(ShopExitCode.PortUnusable, failure.ExitCode);
        Assert.Contains($"Port {port} cannot be used", failure.Message, StringComparison.Ordinal);
        Assert.Contains("--port", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Choose_NoWish_GivesAPortThatIsFree()
    {
        var port = PagePort.Choose(null);

        Assert.InRange(port.Number, 1, ushort.MaxValue);
        Assert.Equal(port.Number != 5_100, port.Note is not null);
    }
}
