using System.Net.Sockets;

namespace Cluster.Nodes.Liveness;

/// <summary>The port that refuses connections only once this process is gone, and where the beacons of other nodes
/// arrive. It listens on a thread, and each connection has its own, so that a starved thread pool cannot make the node
/// look dead; it is opened before the node joins and closed last. Where nodes use TLS, it shows its incarnation only
/// after a handshake. Owned by the node's lifecycle; its only state is the socket and the connections.</summary>
internal sealed class LivenessEndpoint : IDisposable
{
    // Probes come once a second and are answered at once. This many may wait while the process is paused.
    private const int WaitingConnectionsMax = 512;
    private static readonly TimeSpan FailurePause = TimeSpan.FromMilliseconds(100);

    private readonly Socket _listener;
    private readonly LivenessConnections _connections;
    private readonly LivenessGuard? _guard;
    private readonly Thread _thread;
    private readonly ManualResetEventSlim _closing = new();

    private LivenessEndpoint(
        Socket listener, LivenessAddress address, LivenessConnections connections, LivenessGuard? guard)
    {
        _listener = listener;
        _connections = connections;
        _guard = guard;
        Address = address;
        _thread = new Thread(AcceptLoop) { IsBackground = true, Name = "cluster liveness endpoint" };
    }

    /// <summary>Where it listens.</summary>
    public LivenessAddress Address { get; }

    /// <summary>How many connections are open.</summary>
    public int ConnectionCount => _connections.Count;

    /// <summary>Opens the port and starts answering.</summary>
    /// <param name="self">The incarnation that it shows.</param>
    /// <param name="host">The host of the node's own address.</param>
    /// <param name="port">The port; 0 is any.</param>
    /// <param name="guard">Checks who may read the greeting; null: everybody may.</param>
    /// <param name="served">Uses each connection after the greeting, on the connection's thread; null: it is closed
    /// then.</param>
    /// <exception cref="SocketException">The port cannot be had.</exception>
    public static LivenessEndpoint Open(
        NodeId self, string host, int port, LivenessGuard? guard = null, Action<LivenessConnection>? served = null)
    {
        var address = ResolveLocal(host);
        var listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            listener.Bind(new IPEndPoint(address, port));
            listener.Listen(WaitingConnectionsMax);
            var bound = (IPEndPoint)listener.LocalEndPoint!;
            var place = new LivenessAddress(host.Trim('[', ']'), bound.Port, KernelTag.Read());
            var connections = new LivenessConnections(LivenessGreeting.Encode(self.Incarnation), guard, served);
            var endpoint = new LivenessEndpoint(listener, place, connections, guard);
            endpoint._thread.Start();
            return endpoint;
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    /// <summary>The local address that a host name stands for.</summary>
    public static IPAddress ResolveLocal(string host)
    {
        if (IPAddress.TryParse(host.Trim('[', ']'), out var address))
            return address;
        return Dns.GetHostAddresses(host) is [var first, ..] ? first : IPAddress.Loopback;
    }

    public void Dispose()
    {
        if (_closing.IsSet)
            return;
        _closing.Set();
        _listener.Dispose();
        _thread.Join();

        // First the guard, so that a handshake that is cut off here is not taken for a refused one.
        _guard?.Dispose();
        _connections.Dispose();
    }

    private void AcceptLoop()
    {
        while (!_closing.IsSet)
        {
            try
            {
                _connections.Add(_listener.Accept());
            }
            catch (SocketException failure) when (!_closing.IsSet)
            {
                // A connection that broke while it waited has left the queue: accept the next one at once. Without a
                // free file descriptor the queue stays. The kernel goes on accepting connections, so the node does not
                // look dead, and the pause keeps this loop from spinning.
                if (!IsOfOneConnection(failure.SocketErrorCode))
                    _closing.Wait(FailurePause);
            }
            catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private static bool IsOfOneConnection(SocketError error) => error is SocketError.ConnectionReset
        or SocketError.ConnectionAborted or SocketError.Shutdown or SocketError.NotConnected or SocketError.TimedOut;
}
