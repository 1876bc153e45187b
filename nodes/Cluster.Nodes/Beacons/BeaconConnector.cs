using System.Net.Sockets;
using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Beacons;

/// <summary>Connects to a liveness endpoint on the calling thread, within a limit. The socket never leaves blocking
/// mode: a thread that waits for a socket in the other mode is woken up by the thread pool in some cases, and the pool
/// may be starved. Stateless.</summary>
internal static class BeaconConnector
{
    /// <summary>Connects.</summary>
    /// <param name="address">The endpoint.</param>
    /// <param name="made">Gets each socket before it is connected, and may dispose it to end the attempt.</param>
    /// <exception cref="SocketException">Nobody listens there, or it takes too long.</exception>
    public static Socket Connect(LivenessAddress address, Action<Socket> made)
    {
        var places = IPAddress.TryParse(address.Host, out var place)
            ? new[] { place }
            : Dns.GetHostAddresses(address.Host);
        SocketException? last = null;
        foreach (var each in places)
        {
            var socket = new Socket(each.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            made(socket);
            try
            {
                // On Linux, this limit is also that of the connection attempt. Elsewhere the operating system has one.
                socket.SendTimeout = (int)BeaconLimits.ConnectTimeout.TotalMilliseconds;
                socket.NoDelay = true;
                socket.Connect(each, address.Port);
                return socket;
            }
            catch (SocketException failure)
            {
                last = failure;
                socket.Dispose();
            }
        }

        throw last ?? new SocketException((int)SocketError.HostNotFound);
    }
}
