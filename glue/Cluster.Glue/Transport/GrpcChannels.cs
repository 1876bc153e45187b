using System.Net.Sockets;
using Cluster.Glue.Tls;
using Grpc.Net.Client;

namespace Cluster.Glue.Transport;

/// <summary>Opens channels of the gRPC client, each with a connection pool of its own. Immutable.</summary>
/// <param name="connectTimeout">For a connection.</param>
/// <param name="windowBytes">Of HTTP/2.</param>
/// <param name="compression">Of what is sent, and whether a server may compress.</param>
/// <param name="tls">For https addresses; null: they are trusted as the machine trusts them.</param>
internal sealed class GrpcChannels(
    TimeSpan connectTimeout, int windowBytes, GlueCompression compression, ClientTls? tls = null)
{
    private static readonly TimeSpan IdleTimeout = TimeSpan.FromMinutes(1);

    // Requests that begin later take a connection that shows the certificate of its time. Those under way, and the
    // streams of links, stay where they are.
    private static readonly TimeSpan TlsLifetime = TimeSpan.FromMinutes(2);

    public GlueCompression Compression => compression;

    /// <param name="address">Of the server.</param>
    /// <param name="messageBytesMax">Largest payload that may come.</param>
    /// <param name="manyConnections">Whether a further connection is opened when one has all its streams.</param>
    /// <param name="connected">Called when a connection was made; null: nobody asks.</param>
    public GrpcChannel Open(Uri address, int messageBytesMax, bool manyConnections, Action? connected = null)
    {
        var path = UnixSocket.PathOf(address);
        var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            AllowAutoRedirect = false,
            ConnectTimeout = connectTimeout,
            EnableMultipleHttp2Connections = manyConnections,
            InitialHttp2StreamWindowSize = windowBytes,
            PooledConnectionIdleTimeout = IdleTimeout,
            ActivityHeadersPropagator = null,
            ConnectCallback = async (context, token) =>
            {
                var stream = path is null
                    ? await ConnectAsync(context.DnsEndPoint, token).ConfigureAwait(false)
                    : await UnixSocket.ConnectAsync(path, token).ConfigureAwait(false);
                connected?.Invoke();
                return stream;
            },
        };
        if (tls is not null && address.Scheme == Uri.UriSchemeHttps)
        {
            handler.SslOptions = tls.ToOptions(address.DnsSafeHost);
            handler.PooledConnectionLifetime = TlsLifetime;
        }

        return GrpcChannel.ForAddress(path is null ? address : UnixSocket.HttpHost, new GrpcChannelOptions
        {
            HttpHandler = new HttpAnswerCheck(handler),
            DisposeHttpClient = true,
            MaxReceiveMessageSize = GrpcMethods.MaxMessageBytes(messageBytesMax),
            MaxSendMessageSize = null,
            CompressionProviders = compression == GlueCompression.Gzip
                ? [new GzipProvider(GrpcMethods.MaxMessageBytes(messageBytesMax))]
                : [],
        });
    }

    private static async ValueTask<Stream> ConnectAsync(DnsEndPoint target, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(target, cancellationToken).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
