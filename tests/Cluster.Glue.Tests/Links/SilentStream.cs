using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Links;

/// <summary>A connection that says nothing.</summary>
internal sealed class SilentStream(string address) : IDisposable
{
    private readonly StreamingContent _content = new();
    private readonly HttpMessageInvoker _invoker =
        GrpcRequest.CreateInvoker(TimeSpan.FromMinutes(1), manyConnections: false);

    /// <summary>Completes when the server has begun to wait for the handshake.</summary>
    public Task<HttpResponseMessage> OpenAsync()
        => _invoker.SendAsync(
            GrpcRequest.Create(new Uri(new Uri(address), GlueWire.LinkPath), _content),
            CancellationToken.None);

    public void Dispose()
    {
        _content.Complete();
        _invoker.Dispose();
    }
}
