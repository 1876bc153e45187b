using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>Stands between a client and a server on loopback, passes bytes on as they are, and counts them. Owned by
/// one test; the counts are atomic.</summary>
public sealed class CountingRelay : IAsyncDisposable
{
    private readonly LoopbackListener _listener;
    private readonly IPEndPoint _server;
    private long _bytesToServer;
    private long _bytesToClient;

    /// <summary>Listens on a port of its own.</summary>
    /// <param name="address">The address of the server, with a port.</param>
    public CountingRelay(string address)
    {
        _server = new IPEndPoint(IPAddress.Loopback, new Uri(address).Port);
        _listener = new LoopbackListener(CarryAsync);
    }

    /// <summary>What a client calls instead of the server.</summary>
    public string Address => _listener.Address;

    /// <summary>Bytes that clients have sent.</summary>
    public long BytesToServer => Volatile.Read(ref _bytesToServer);

    /// <summary>Bytes that the server has sent.</summary>
    public long BytesToClient => Volatile.Read(ref _bytesToClient);

    /// <summary>Ends all connections.</summary>
    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task CarryAsync(Socket client, CancellationToken cancellationToken)
    {
        using var ours = client;
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            ours.NoDelay = server.NoDelay = true;
            await server.ConnectAsync(_server, cancellationToken);
            await Task.WhenAll(
                CopyAsync(ours, server, count => Interlocked.Add(ref _bytesToServer, count), cancellationToken),
                CopyAsync(server, ours, count => Interlocked.Add(ref _bytesToClient, count), cancellationToken));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            // One of the two has gone, which the other one sees.
        }
    }

    private static async Task CopyAsync(
        Socket from, Socket to, Action<int> counted, CancellationToken cancellationToken)
    {
        var buffer = new byte[64 * 1024];
        int count;
        while ((count = await from.ReceiveAsync(buffer, cancellationToken)) > 0)
        {
            counted(count);
            for (var sent = 0; sent < count;)
                sent += await to.SendAsync(buffer.AsMemory(sent, count - sent), cancellationToken);
        }

        to.Shutdown(SocketShutdown.Send);
    }
}
