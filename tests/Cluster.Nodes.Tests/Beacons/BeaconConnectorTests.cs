using System.Net.Sockets;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Liveness;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Beacons;

[Collection(HandleTests.Name)]
public sealed class BeaconConnectorTests : IDisposable
{
    private readonly List<Socket> _owned = [];

    public void Dispose()
    {
        foreach (var socket in _owned)
            socket.Dispose();
    }

    [Fact]
    public void Connect_NobodyListens_FailsAtOnceAndClosesItsSocket()
    {
        using var closed = new RefusingPort();
        var failure = Assert.Throws<SocketException>(
            () => BeaconConnector.Connect(new LivenessAddress("127.0.0.1", closed.Number, ""), _owned.Add));
        Assert.Equal(SocketError.ConnectionRefused, failure.SocketErrorCode);
        Assert.True(Assert.Single(_owned).SafeHandle.IsClosed);
    }

    /// <summary>A kernel whose queue of connections is full drops the next one, as a network does that is
    /// cut.</summary>
    [RequiresUnixFact]
    public void Connect_NoAnswer_FailsWithinTheLimit()
    {
        var full = Own();
        full.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        full.Listen(1);
        for (var number = 0; number < 8; number++)
            Begin(full.LocalEndPoint!);
        var address = new LivenessAddress("127.0.0.1", ((IPEndPoint)full.LocalEndPoint!).Port, "");
        var failure = Assert.Throws<SocketException>(() => BeaconConnector.Connect(address, _owned.Add));
        Assert.Equal(SocketError.TimedOut, failure.SocketErrorCode);
    }

    private void Begin(EndPoint place)
    {
        var filler = Own();
        filler.Blocking = false;
        try
        {
            filler.Connect(place);
        }
        catch (SocketException)
        {
            // The attempt has begun, and nobody waits for it.
        }
    }

    private Socket Own()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _owned.Add(socket);
        return socket;
    }
}
