using Cluster.Glue.Tests.Wire;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>A connection that says nothing.</summary>
internal sealed class SilentStream(string address) : IDisposable
{
    private readonly StreamingContent _content = new();
    private readonly HttpMessageInvoker _invoker =
        RawGrpc.CreateInvoker(TimeSpan.FromMinutes(1));

    /// <summary>Completes when the server has begun to wait for the handshake.</summary>
    public Task<HttpResponseMessage> OpenAsync() =>
        _invoker.SendAsync(
            RawGrpc.Create(new Uri(new Uri(address), RawGrpc.LinkPath), _content),
            CancellationToken.None);

    public void Dispose()
    {
        _content.Complete();
        _invoker.Dispose();
    }
}
