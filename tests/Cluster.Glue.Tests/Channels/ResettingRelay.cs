using System.Net.Sockets;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Channels;

/// <summary>Stands between a client and a server and resets each connection after a random number of bytes. Owned by
/// one test.</summary>
internal sealed class ResettingRelay : IAsyncDisposable
{
    private const int BytesMax = 256 * 1024;

    private readonly LoopbackListener _listener;
    private readonly IPEndPoint _server;
    private readonly Random _random;

    public ResettingRelay(string server, int seed)
    {
        _server = new IPEndPoint(IPAddress.Loopback, new Uri(server).Port);
        _random = new Random(seed);
        _listener = new LoopbackListener((client, end) => CarryAsync(client, _random.Next(BytesMax), end));
    }

    public string Address => _listener.Address;

    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task CarryAsync(Socket client, int bytesMax, CancellationToken cancellationToken)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await server.ConnectAsync(_server, cancellationToken);
            var there = PumpAsync(client, server, bytesMax, cancellationToken);
            var back = PumpAsync(server, client, bytesMax, cancellationToken);
            await Task.WhenAny(there, back);
            // Closing without lingering resets.
            server.LingerState = client.LingerState = new LingerOption(true, 0);
            server.Close();
            client.Close();
            await Task.WhenAll(there, back);
        }
        catch (Exception exception) when (exception is SocketException or OperationCanceledException
            or ObjectDisposedException)
        {
            // One side was faster.
        }
    }

    private static async Task PumpAsync(Socket from, Socket to, int bytesMax, CancellationToken cancellationToken)
    {
        var buffer = new byte[4096];
        while (bytesMax > 0)
        {
            var count = await from.ReceiveAsync(buffer, cancellationToken);
            if (count == 0)
                return;
            await to.SendAsync(buffer.AsMemory(0, Math.Min(count, bytesMax)), cancellationToken);
            bytesMax -= count;
        }
    }
}
