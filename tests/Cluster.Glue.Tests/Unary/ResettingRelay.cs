using System.Net;
using System.Net.Sockets;

namespace Cluster.Glue.Tests.Unary;

/// <summary>
/// Stands between a client and a server and resets each connection after a random number of bytes. Owned by one test.
/// </summary>
internal sealed class ResettingRelay : IAsyncDisposable
{
    private const int BytesMax = 256 * 1024;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly IPEndPoint _server;
    private readonly Random _random;
    private readonly Task _accepting;

    public ResettingRelay(string server, int seed)
    {
        _server = new IPEndPoint(IPAddress.Loopback, new Uri(server).Port);
        _random = new Random(seed);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public string Address => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

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
                connections.Add(CarryAsync(await _listener.AcceptSocketAsync(_end.Token), _random.Next(BytesMax)));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task CarryAsync(Socket client, int bytesMax)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await server.ConnectAsync(_server, _end.Token);
            Task there = PumpAsync(client, server, bytesMax);
            Task back = PumpAsync(server, client, bytesMax);
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

    private async Task PumpAsync(Socket from, Socket to, int bytesMax)
    {
        byte[] buffer = new byte[4096];
        while (bytesMax > 0)
        {
            int count = await from.ReceiveAsync(buffer, _end.Token);
            if (count == 0)
                return;
            await to.SendAsync(buffer.AsMemory(0, Math.Min(count, bytesMax)), _end.Token);
            bytesMax -= count;
        }
    }
}
