using System.Net.Sockets;

namespace Cluster.Testing;

/// <summary>Listens on a loopback port and passes each connection to a function. Disposal cancels the functions and
/// waits until all of them have ended. Owned by one test.</summary>
public sealed class LoopbackListener : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Func<Socket, CancellationToken, Task> _serve;
    private readonly Task _accepting;

    /// <summary>Starts to listen.</summary>
    /// <param name="serve">Serves one connection and closes its socket. Must not throw.</param>
    public LoopbackListener(Func<Socket, CancellationToken, Task> serve)
    {
        _serve = serve;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The address that a client calls.</summary>
    public string Address => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    /// <summary>Ends all connections and waits for their functions.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _end.Dispose();
    }

    // Only this loop stops the listener, so that it never asks a stopped one for the next connection.
    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
            {
                var client = await _listener.AcceptSocketAsync(_end.Token).ConfigureAwait(false);
                connections.Add(_serve(client, _end.Token));
            }
        }
        catch (OperationCanceledException) when (_end.IsCancellationRequested)
        {
            // The end of the listener.
        }
        finally
        {
            _listener.Stop();
            await Task.WhenAll(connections).ConfigureAwait(false);
        }
    }
}
