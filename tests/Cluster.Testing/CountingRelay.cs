using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>A relay between a client and a server on loopback. It forwards bytes unchanged and counts them. Owned by
/// one test; the counts are atomic.</summary>
public sealed class CountingRelay : IAsyncDisposable
{
    private readonly LoopbackListener _listener;
    private readonly IPEndPoint _server;
    private long _bytesToServer;
    private long _bytesToClient;

    /// <summary>Listens on a free port.</summary>
    /// <param name="address">The address of the server, with a port.</param>
    public CountingRelay(string address)
    {
        _server = new IPEndPoint(IPAddress.Loopback, new Uri(address).Port);
        _listener = new LoopbackListener(CarryAsync);
    }

    /// <summary>The address that a client calls instead of the server's address.</summary>
    public string Address => _listener.Address;

    /// <summary>The number of bytes that clients have sent.</summary>
    public long BytesToServer => Volatile.Read(ref _bytesToServer);

    /// <summary>The number of bytes that the server has sent.</summary>
    public long BytesToClient => Volatile.Read(ref _bytesToClient);

    /// <summary>Closes all connections.</summary>
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
            // The client or the server has closed its connection. Closing the other connection tells the other side.
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
