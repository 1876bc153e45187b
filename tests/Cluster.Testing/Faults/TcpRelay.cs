using System.Net.Sockets;

namespace Cluster.Testing.Faults;

/// <summary>A relay between two processes on loopback. It forwards bytes unchanged until a test stalls or delays a
/// direction, or closes the relay as if the machine behind it refused connections. Owned by one test. A private lock
/// protects the listener and the connections.</summary>
public sealed class TcpRelay : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly int _targetPort;
    private readonly CancellationTokenSource _end = new();
    private readonly HashSet<RelayConnection> _connections = [];
    private TcpListener? _listener;
    private Task _accepting = Task.CompletedTask;

    /// <summary>Begins to listen.</summary>
    /// <param name="port">The port of the relay.</param>
    /// <param name="targetPort">The port to which it forwards.</param>
    public TcpRelay(int port, int targetPort)
    {
        (Port, _targetPort) = (port, targetPort);
        (ToTarget, FromTarget) = (new RelayFlow(port), new RelayFlow(~port));
        Listen();
    }

    /// <summary>The port of the relay.</summary>
    public int Port { get; }

    /// <summary>The bytes that travel to the target.</summary>
    public RelayFlow ToTarget { get; }

    /// <summary>The bytes that travel back.</summary>
    public RelayFlow FromTarget { get; }

    /// <summary>Listens again after <see cref="Close"/>.</summary>
    public void Listen()
    {
        lock (_lock)
        {
            if (_listener is not null || _end.IsCancellationRequested)
                return;
            _listener = new TcpListener(IPAddress.Loopback, Port);
            _listener.Start();
            _accepting = AcceptAsync(_listener);
        }
    }

    /// <summary>Refuses connections from now on, and ends those that are open.</summary>
    public void Close()
    {
        RelayConnection[] open;
        lock (_lock)
        {
            _listener?.Dispose();
            _listener = null;
            open = [.. _connections];
        }

        foreach (var connection in open)
            connection.End();
    }

    /// <summary>Ends the relay and all connections.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        Close();
        await _accepting.ConfigureAwait(false);
        _end.Dispose();
    }

    private async Task AcceptAsync(TcpListener listener)
    {
        try
        {
            while (true)
                _ = CarryAsync(await listener.AcceptSocketAsync(_end.Token).ConfigureAwait(false));
        }
        catch (Exception failure) when (failure is OperationCanceledException or SocketException
            or ObjectDisposedException or InvalidOperationException)
        {
            // The relay was closed.
        }
    }

    private async Task CarryAsync(Socket client)
    {
        using var connection = new RelayConnection(client, _targetPort);
        lock (_lock)
        {
            if (_listener is null)
                return;
            _connections.Add(connection);
        }

        await connection.CarryAsync(ToTarget, FromTarget).ConfigureAwait(false);
        lock (_lock)
            _connections.Remove(connection);
    }
}
