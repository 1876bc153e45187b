using System.Net;
using System.Net.Sockets;

namespace Cluster.Benchmarks.Glue;

/// <summary>The rivals below Glue: a gRPC-framed HTTP/2 echo without any call layer, and a raw TCP ping-pong.</summary>
internal sealed class BareEcho : IDisposable
{
    private readonly HttpMessageInvoker _invoker = new(new SocketsHttpHandler
    {
        UseProxy = false,
        EnableMultipleHttp2Connections = true,
        ActivityHeadersPropagator = null,
    });

    private readonly Uri _target;
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _message = new byte[45];
    private readonly byte[] _buffer = new byte[64];

    public BareEcho(PeerProcess peer)
    {
        _target = new Uri(new Uri(peer.BareAddress), "/echo");
        _message[4] = 40;
        _socket.Connect(IPAddress.Loopback, peer.TcpPort);
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
        using HttpResponseMessage response = await _invoker.SendAsync(request, CancellationToken.None);
        await response.Content.ReadAsByteArrayAsync();
    }

    public async Task PingAsync()
    {
        await _socket.SendAsync(_message);
        await _socket.ReceiveAsync(_buffer);
    }

    public void Dispose()
    {
        _invoker.Dispose();
        _socket.Dispose();
    }
}
