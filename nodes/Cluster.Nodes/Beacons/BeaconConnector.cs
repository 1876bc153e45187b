using System.Net.Sockets;
using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Beacons;

/// <summary>Connects to a liveness endpoint on the calling thread, within a limit. Stateless.</summary>
internal static class BeaconConnector
{
    // The end of the caller is noticed within this time.
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(50);

    /// <summary>Connects.</summary>
    /// <param name="address">The endpoint.</param>
    /// <param name="isOver">Whether the caller ends.</param>
    /// <exception cref="SocketException">Nobody listens there, or it takes too long.</exception>
    public static Socket Connect(LivenessAddress address, Func<bool> isOver)
    {
        var places = IPAddress.TryParse(address.Host, out var place)
            ? new[] { place }
            : Dns.GetHostAddresses(address.Host);
        SocketException? last = null;
        foreach (var each in places)
        {
            try
            {
                return Connect(new IPEndPoint(each, address.Port), isOver);
            }
            catch (SocketException failure)
            {
                last = failure;
            }
        }

        throw last ?? new SocketException((int)SocketError.HostNotFound);
    }

    // A connection attempt of the operating system takes minutes, and nothing else bounds it. So it does not block.
    private static Socket Connect(IPEndPoint place, Func<bool> isOver)
    {
        var socket = new Socket(place.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            socket.Blocking = false;
            if (!TryConnectAtOnce(socket, place))
                WaitUntilConnected(socket, isOver);
            socket.Blocking = true;
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static bool TryConnectAtOnce(Socket socket, IPEndPoint place)
    {
        try
        {
            socket.Connect(place);
            return true;
        }
        catch (SocketException begun) when (begun.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            return false;
        }
    }

    private static void WaitUntilConnected(Socket socket, Func<bool> isOver)
    {
        for (var waited = TimeSpan.Zero; !socket.Poll(Slice, SelectMode.SelectWrite); waited += Slice)
        {
            if (isOver() || waited >= BeaconLimits.ConnectTimeout || socket.Poll(TimeSpan.Zero, SelectMode.SelectError))
                throw new SocketException((int)SocketError.TimedOut);
        }

        var error = (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        if (error != 0)
            throw new SocketException(error);
    }
}
