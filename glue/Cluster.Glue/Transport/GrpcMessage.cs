using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>One message of Glue's gRPC service: the protobuf message <c>google.protobuf.BytesValue</c> around a
/// payload. One that is sent refers to the sender's bytes until it has been serialized. One that was received has a
/// pooled array of its own, until it is given back. For one user at a time.</summary>
internal sealed class GrpcMessage
{
    private byte[] _received = [];
    private int _receivedBytes;
    private int _serializedCount;

    private GrpcMessage()
    {
    }

    /// <summary>What is sent.</summary>
    public ReadOnlyMemory<byte> Payload { get; private init; }

    /// <summary>How often the message was serialized to be sent; more than once when HttpClient has repeated a request
    /// that no server had begun to handle.</summary>
    public int SerializedCount => Volatile.Read(ref _serializedCount);

    /// <summary>The bytes of a payload that are enough to try its compression.</summary>
    public bool IsWorthCompressing => Payload.Length >= GzipProvider.WorthwhileBytes;

    /// <summary>A message to send.</summary>
    public static GrpcMessage Of(ReadOnlyMemory<byte> payload) => new() { Payload = payload };

    /// <summary>Writes the message; called by gRPC.</summary>
    public static void Serialize(GrpcMessage message, SerializationContext context)
    {
        Interlocked.Increment(ref message._serializedCount);
        var payload = message.Payload.Span;
        Span<byte> head = stackalloc byte[BytesValue.HeadBytesMax];
        head = head[..BytesValue.WriteHead(head, payload.Length)];
        context.SetPayloadLength(head.Length + payload.Length);
        var writer = context.GetBufferWriter();
        writer.Write(head);
        writer.Write(payload);
        context.Complete();
    }

    /// <summary>Copies what was received, which is gRPC's only during this call.</summary>
    public static GrpcMessage Deserialize(DeserializationContext context)
    {
        var received = context.PayloadAsReadOnlySequence();
        var message = new GrpcMessage { _receivedBytes = checked((int)received.Length) };
        if (message._receivedBytes == 0)
            return message;
        message._received = ArrayPool<byte>.Shared.Rent(message._receivedBytes);
        received.CopyTo(message._received);
        return message;
    }

    /// <summary>The payload that was received, valid until the message is given back.</summary>
    /// <exception cref="WireException">It is no <c>BytesValue</c>.</exception>
    public ReadOnlyMemory<byte> ReadPayload() => BytesValue.ReadPayload(_received.AsMemory(0, _receivedBytes));

    /// <summary>Gives back the array of a received message. Nobody may read it any more.</summary>
    public void GiveBack()
    {
        if (_received.Length > 0)
            ArrayPool<byte>.Shared.Return(_received);
        _received = [];
        _receivedBytes = 0;
    }
}
