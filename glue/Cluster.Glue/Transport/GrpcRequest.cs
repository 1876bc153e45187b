using System.Net;

namespace Cluster.Glue.Transport;

/// <summary>Builds the HTTP/2 request and connection of a gRPC call. Pure.</summary>
internal static class GrpcRequest
{
    public static HttpRequestMessage Create(
        Uri target, HttpContent content, GlueCompression compression = GlueCompression.None)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, target)
        {
            Content = content,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        request.Headers.TE.ParseAdd("trailers");
        if (compression == GlueCompression.Gzip)
        {
            request.Headers.TryAddWithoutValidation(GrpcEncoding.Header, GrpcEncoding.Gzip);
            request.Headers.TryAddWithoutValidation(GrpcEncoding.AcceptHeader, GrpcEncoding.Accepted);
        }

        return request;
    }

    /// <summary>A connection pool of its own: streams through one shared handler would share one connection.</summary>
    public static HttpMessageInvoker CreateInvoker(
        TimeSpan connectTimeout,
        bool manyConnections,
        int windowBytes = GlueLimits.WindowBytes,
        string? socketPath = null)
        => new(new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            AllowAutoRedirect = false,
            ConnectTimeout = connectTimeout,
            EnableMultipleHttp2Connections = manyConnections,
            InitialHttp2StreamWindowSize = windowBytes,
            PooledConnectionIdleTimeout = TimeSpan.FromMinutes(1),
            ActivityHeadersPropagator = null,
            ConnectCallback = socketPath is null
                ? null
                : (_, cancellationToken) => UnixSocket.ConnectAsync(socketPath, cancellationToken),
        });
}
