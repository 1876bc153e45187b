using System.Net.Sockets;

namespace Cluster.Nodes.Liveness;

/// <summary>The port that refuses connections only once this process is gone. It listens on its own thread, so that a
/// starved thread pool cannot make the node look dead; it is opened before the node joins and closed last. Where nodes
/// use TLS, it shows its incarnation only after a handshake, which its thread begins and does not wait for. Owned by
/// the node's lifecycle; its only state is the socket.</summary>
internal sealed class LivenessEndpoint : IDisposable
{
    // Probes come once a second and are answered at once. This many may wait while the process is paused.
    private const int WaitingConnectionsMax = 512;
    private static readonly TimeSpan SendTimeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan FailurePause = TimeSpan.FromMilliseconds(100);

    private readonly Socket _listener;
    private readonly byte[] _greeting;
    private readonly LivenessGuard? _guard;
    private readonly Thread _thread;
    private readonly ManualResetEventSlim _closing = new();

    private LivenessEndpoint(Socket listener, LivenessAddress address, Guid incarnation, LivenessGuard? guard)
    {
        _listener = listener;
        _greeting = LivenessGreeting.Encode(incarnation);
        _guard = guard;
        Address = address;
        _thread = new Thread(AcceptLoop) { IsBackground = true, Name = "cluster liveness endpoint" };
    }

    /// <summary>Where it listens.</summary>
    public LivenessAddress Address { get; }

    /// <summary>Opens the port and starts answering.</summary>
    /// <param name="self">The incarnation that it shows.</param>
    /// <param name="host">The host of the node's own address.</param>
    /// <param name="port">The port; 0 is any.</param>
    /// <param name="guard">Checks who may read the greeting; null: everybody may.</param>
    /// <exception cref="SocketException">The port cannot be had.</exception>
    public static LivenessEndpoint Open(NodeId self, string host, int port, LivenessGuard? guard = null)
    {
        var address = ResolveLocal(host);
        var listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            listener.Bind(new IPEndPoint(address, port));
            listener.Listen(WaitingConnectionsMax);
            var bound = (IPEndPoint)listener.LocalEndPoint!;
            var life = new LivenessEndpoint(
                listener,
            new LivenessAddress(host.Trim('[', ']'), bound.Port, KernelTag.Read()),
            self.Incarnation,
            guard);
            life._thread.Start();
            return life;
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
        _guard?.Dispose();
    }

    private void AcceptLoop()
    {
        while (!_closing.IsSet)
        {
            try
            {
                var connection = _listener.Accept();
                if (_guard is null)
                    Greet(connection);
                else
                    _guard.Greet(connection, _greeting);
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

    private void Greet(Socket accepted)
    {
        using var connection = accepted;
        connection.SendTimeout = (int)SendTimeout.TotalMilliseconds;
        connection.Send(_greeting);
        connection.Shutdown(SocketShutdown.Send);
    }
}
