using System.Net.Sockets;
using System.Security.Authentication;
using Cluster.Glue;

namespace Cluster.Nodes.Liveness;

/// <summary>Sends the greeting of a liveness endpoint to peers that have completed a TLS handshake with the
/// certificates of the node's Glue server. That server bounds the handshakes in number and time, and logs and counts
/// refused peers. Owned by the liveness endpoint.</summary>
internal sealed class LivenessGuard(GlueListener server) : IDisposable
{
    private readonly CancellationTokenSource _closing = new();

    /// <summary>Begins the handshake; does not wait for the other side.</summary>
    /// <param name="accepted">The connection, which is closed in the end.</param>
    /// <param name="greeting">The bytes for a peer that is let in.</param>
    public void Greet(Socket accepted, byte[] greeting) => _ = GreetAsync(accepted, greeting);

    public void Dispose()
    {
        _closing.Cancel();
        _closing.Dispose();
    }

    private async Task GreetAsync(Socket accepted, byte[] greeting)
    {
        using var connection = accepted;
        try
        {
            var token = _closing.Token;
            var from = $"{connection.RemoteEndPoint} at the liveness endpoint";
            var stream = await server
                .AuthenticateAsync(new NetworkStream(connection, ownsSocket: false), from, GlueAudience.Peers, token)
                .ConfigureAwait(false);
            await using (stream.ConfigureAwait(false))
                await stream.WriteAsync(greeting, token).ConfigureAwait(false);

            connection.Shutdown(SocketShutdown.Send);
        }
        catch (Exception failure) when (failure is AuthenticationException or IOException or SocketException
            or OperationCanceledException or ObjectDisposedException or GlueListenException)
        {
            // The server has logged a refusal. Otherwise the other side has closed, or this process is stopping.
        }
    }
}
