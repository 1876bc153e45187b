namespace Cluster.Benchmarks.Glue;

/// <summary>The rival below Glue: a gRPC-framed HTTP/2 echo without any call layer.</summary>
internal sealed class BareEcho : IDisposable
{
    private readonly HttpMessageInvoker _invoker = new(new SocketsHttpHandler
    {
        UseProxy = false,
        EnableMultipleHttp2Connections = true,
        ActivityHeadersPropagator = null,
    });

    private readonly Uri _target;
    private readonly byte[] _message = new byte[45];

    public BareEcho(PeerProcess peer)
    {
        _target = new Uri(new Uri(peer.BareAddress), "/echo");
        _message[4] = 40;
    }

    public async Task EchoAsync()
    {
        var content = new ByteArrayContent(_message);
        content.Headers.ContentType = new System.Net.Http.Headers.MediaTypeHeaderValue("application/grpc");
        using var request = new HttpRequestMessage(HttpMethod.Post, _target)
        {
            Content = content,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        request.Headers.TE.ParseAdd("trailers");
        using var response = await _invoker.SendAsync(request, CancellationToken.None);
        await response.Content.ReadAsByteArrayAsync();
    }

    public void Dispose() => _invoker.Dispose();
}
