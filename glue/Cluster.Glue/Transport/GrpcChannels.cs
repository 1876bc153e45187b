using System.Net.Sockets;
using Cluster.Glue.Tls;
using Grpc.Net.Client;

namespace Cluster.Glue.Transport;

/// <summary>Opens channels of the gRPC client, each with its own connection pool. Immutable.</summary>
/// <param name="connectTimeout">The time to open a connection.</param>
/// <param name="windowBytes">The HTTP/2 window in bytes.</param>
/// <param name="compression">How messages are sent, and whether a server may compress.</param>
/// <param name="tls">TLS for https addresses; null: they are trusted as the machine trusts them.</param>
internal sealed class GrpcChannels(
    TimeSpan connectTimeout, int windowBytes, GlueCompression compression, ClientTls? tls = null)
{
    private static readonly TimeSpan IdleTimeout = TimeSpan.FromMinutes(1);

    // Later requests use a fresh connection, which shows the current certificate. Open requests and the streams of
    // links stay on their connections.
    private static readonly TimeSpan TlsLifetime = TimeSpan.FromMinutes(2);

    public GlueCompression Compression => compression;

    /// <summary>Where a connection goes instead of the given place; null: there.</summary>
    public Func<DnsEndPoint, DnsEndPoint>? Detour { get; init; }

    /// <param name="address">The address of the server.</param>
    /// <param name="messageBytesMax">The largest payload that may be received, in bytes.</param>
    /// <param name="manyConnections">Whether a further connection is opened when one has reached its limit of
    /// streams.</param>
    /// <param name="connected">Called when a connection was made; null: no call.</param>
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

    private async ValueTask<Stream> ConnectAsync(DnsEndPoint place, CancellationToken cancellationToken)
    {
        var target = Detour is null ? place : Detour(place);
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
