using Cluster.Glue;

namespace Cluster.Nodes.Liveness;

/// <summary>Lets peers in to a liveness endpoint that complete a TLS handshake with the certificates of the node's Glue
/// server. That server bounds the handshakes in number and time, and logs and counts refused peers. Owned by the
/// liveness endpoint.</summary>
internal sealed class LivenessGuard(GlueListener server) : IDisposable
{
    private readonly CancellationTokenSource _closing = new();

    /// <summary>Performs the handshake on the calling thread.</summary>
    /// <param name="connection">The connection, which is closed if it is refused.</param>
    /// <param name="from">The address of the other side.</param>
    /// <returns>The encrypted stream.</returns>
    public Stream Authenticate(BlockingStream connection, string from) => BlockingStream.Await(server.AuthenticateAsync(
        connection, $"{from} at the liveness endpoint", GlueAudience.Peers, _closing.Token));

    public void Dispose()
    {
        _closing.Cancel();
        _closing.Dispose();
    }
}
