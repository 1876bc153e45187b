using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

/// <summary>gRPC made by hand, for tests of peers that break its rules. Pure.</summary>
internal static class RawGrpc
{
    public const string LinkPath = "/" + GlueWire.ServiceName + "/" + GlueWire.LinkName;
    public const string StatusHeader = "grpc-status";
    public const string MessageHeader = "grpc-message";

    /// <summary>First byte of a compressed message.</summary>
    public const byte Compressed = 1;

    public static HttpRequestMessage Create(Uri target, HttpContent content)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, target)
        {
            Content = content,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        request.Headers.TE.ParseAdd("trailers");
        return request;
    }

    /// <summary>A connection pool of its own.</summary>
    public static HttpMessageInvoker CreateInvoker(TimeSpan connectTimeout) => new(new SocketsHttpHandler
    {
        UseProxy = false,
        ConnectTimeout = connectTimeout,
        ActivityHeadersPropagator = null,
    });

    /// <summary>A payload as a whole message.</summary>
    public static byte[] Frame(ReadOnlySpan<byte> payload)
    {
        Span<byte> head = stackalloc byte[BytesValue.HeadBytesMax];
        head = head[..BytesValue.WriteHead(head, payload.Length)];
        return OfMessage([.. head, .. payload], flag: 0);
    }

    /// <summary>The bytes of a message, whatever they are, with their prefix.</summary>
    public static byte[] OfMessage(byte[] message, byte flag)
    {
        var frame = new byte[GlueWire.GrpcPrefixBytes + message.Length];
        frame[0] = flag;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), message.Length);
        message.CopyTo(frame, GlueWire.GrpcPrefixBytes);
        return frame;
    }
}
