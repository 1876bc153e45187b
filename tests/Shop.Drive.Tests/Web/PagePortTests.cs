using System.Net.Sockets;
using Cluster.Testing;
using Shop.Drive.Web;

namespace Shop.Drive.Tests.Web;

public sealed class PagePortTests
{
    [Fact]
    public void Open_FreeWish_IsTakenAndListens()
    {
        var wish = FreePorts.Next();

        using var port = PagePort.Open(wish);
        using var client = new TcpClient();
        client.Connect(port.EndPoint);

        Assert.Equal(new IPEndPoint(IPAddress.Loopback, wish), port.EndPoint);
        Assert.Null(port.Note);
    }

    [Fact]
    public void Open_WishInUse_IsRefusedWithTheRemedy()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var port = ((IPEndPoint)other.LocalEndpoint).Port;

        var failure = Assert.Throws<ShopStartException>(() => PagePort.Open(port));

        Assert.Equal(ShopExitCode.PortUnusable, failure.ExitCode);
        Assert.Contains($"Port {port} cannot be used", failure.Message, StringComparison.Ordinal);
        Assert.Contains("--port", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_NoWish_GivesAnOpenPort()
    {
        using var port = PagePort.Open(null);

        Assert.InRange(port.EndPoint.Port, 1, ushort.MaxValue);
        Assert.Equal(port.EndPoint.Port != 5_100, port.Note is not null);
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public void Open_ByManyAtOnce_GivesEachAPortOfItsOwn()
    {
        var ports = new PagePort[8];
        try
        {
            Parallel.For(0, ports.Length, index => ports[index] = PagePort.Open(null));

            Assert.Equal(ports.Length, ports.Select(static port => port.EndPoint.Port).Distinct().Count());
        }
        finally
        {
            Array.ForEach(ports, static port => port?.Dispose());
        }
    }
}
