namespace Cluster.Glue.Transport;

/// <summary>
/// Opens message streams as gRPC duplex calls over cleartext HTTP/2, each on a connection of its own. Stateless.
/// </summary>
internal sealed class HttpMessageConnector(TimeSpan connectTimeout, int windowBytes, GlueCompression compression)
    : IMessageConnector
{
    public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
    {
        string? path = UnixSocket.PathOf(address);
        HttpMessageInvoker invoker = GrpcRequest.CreateInvoker(
            connectTimeout, manyConnections: false, windowBytes, path);
        return await ClientMessageStream.OpenAsync(
            invoker, path is null ? address : UnixSocket.HttpHost, compression, cancellationToken)
            .ConfigureAwait(false);
    }
}
