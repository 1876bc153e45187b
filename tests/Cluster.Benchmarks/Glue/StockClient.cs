using Cluster.Benchmarks.Glue.Stock;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Net.Client;

namespace Cluster.Benchmarks.Glue;

/// <summary>U, the rival of the design: a unary call of Grpc.Net.Client with bytes of the same size and no serializer,
/// and a message of a stream beside it. More connections are opened when one is full, as the documentation of gRPC
/// advises for many callers.</summary>
internal sealed class StockClient : IDisposable
{
    /// <summary>The bytes of the small call, as the design has them.</summary>
    public const int SmallBytes = 16;

    private readonly ConcurrentBag<AsyncDuplexStreamingCall<BytesValue, BytesValue>> _streams = [];
    private readonly GrpcChannel _channel;
    private readonly StockEcho.StockEchoClient _client;

    public StockClient(PeerProcess peer)
    {
        _channel = GrpcChannel.ForAddress(peer.BareAddress, new GrpcChannelOptions
        {
            HttpHandler = new SocketsHttpHandler { EnableMultipleHttp2Connections = true },
            DisposeHttpClient = true,
        });
        _client = new StockEcho.StockEchoClient(_channel);
    }

    /// <summary>A message with this number of bytes.</summary>
    public static BytesValue MessageOf(int bytes) => new() { Value = ByteString.CopyFrom(new byte[bytes]) };

    /// <summary>One unary call.</summary>
    public async ValueTask<int> EchoAsync(BytesValue message)
    {
        var answer = await _client.EchoAsync(message);
        return answer.Value.Length;
    }

    /// <summary>One message there and back, on a stream that no other caller uses meanwhile.</summary>
    public async ValueTask<int> EchoOnStreamAsync(BytesValue message)
    {
        if (!_streams.TryTake(out var stream))
            stream = _client.EchoEach();
        await stream.RequestStream.WriteAsync(message);
        if (!await stream.ResponseStream.MoveNext(CancellationToken.None))
            throw new InvalidOperationException("The stock server has ended a stream.");
        _streams.Add(stream);
        return stream.ResponseStream.Current.Value.Length;
    }

    public void Dispose()
    {
        foreach (var stream in _streams)
            stream.Dispose();
        _channel.Dispose();
    }
}
