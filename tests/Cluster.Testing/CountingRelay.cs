using System.Net;
using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>
/// Stands between a client and a server on loopback, passes bytes on as they are, and counts them. Owned by one test; the
/// counts are atomic.
/// </summary>
public sealed class CountingRelay : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly IPEndPoint _server;
    private readonly Task _accepting;
    private long _bytesToServer;
    private long _bytesToClient;

    /// <summary>Listens on a port of its own.</summary>
    /// <param name="address">The address of the server, with a port.</param>
    public CountingRelay(string address)
    {
        _server = new IPEndPoint(IPAddress.Loopback, new Uri(address).Port);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>What a client calls instead of the server.</summary>
    public string Address => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    /// <summary>Bytes that clients have sent.</summary>
    public long BytesToServer => Volatile.Read(ref _bytesToServer);

    /// <summary>Bytes that the server has sent.</summary>
    public long BytesToClient => Volatile.Read(ref _bytesToClient);

    /// <summary>Ends all connections.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
        await _accepting;
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
                connections.Add(CarryAsync(await _listener.AcceptSocketAsync(_end.Token)));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task CarryAsync(Socket client)
    {
        using Socket ours = client;
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            ours.NoDelay = server.NoDelay = true;
            await server.ConnectAsync(_server, _end.Token);
            await Task.WhenAll(
                CopyAsync(ours, server, count => Interlocked.Add(ref _bytesToServer, count)),
                CopyAsync(server, ours, count => Interlocked.Add(ref _bytesToClient, count)));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            // One of the two has gone, which the other one sees.
        }
    }

    private async Task CopyAsync(Socket from, Socket to, Action<int> counted)
    {
        byte[] buffer = new byte[64 * 1024];
        int count;
        while ((count = await from.ReceiveAsync(buffer, _end.Token)) > 0)
        {
            counted(count);
            for (int sent = 0; sent < count;)
                sent += await to.SendAsync(buffer.AsMemory(sent, count - sent), _end.Token);
        }

        to.Shutdown(SocketShutdown.Send);
    }
}
