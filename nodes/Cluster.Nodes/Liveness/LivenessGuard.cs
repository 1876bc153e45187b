using System.Net.Sockets;
using System.Security.Authentication;
using Cluster.Glue;

namespace Cluster.Nodes.Liveness;

/// <summary>Greets at a liveness endpoint those who have shaken hands over TLS, with the certificates of the node's
/// Glue server. That server bounds the handshakes in number and time, and logs and counts whom it refuses. Owned by the
/// liveness endpoint.</summary>
internal sealed class LivenessGuard(GlueListener server) : IDisposable
{
    private readonly CancellationTokenSource _closing = new();

    /// <summary>Begins to shake hands; does not wait for the other side.</summary>
    /// <param name="accepted">The connection, which is closed in the end.</param>
    /// <param name="greeting">What to say to who is let in.</param>
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
            // Told by the server where it is a refusal. Otherwise the other side has gone, or this one goes.
        }
    }
}
