using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>One message of Glue's gRPC service: the protobuf message <c>google.protobuf.BytesValue</c> around a
/// payload. A message to send refers to the sender's bytes until it is serialized. A received message has a pooled
/// array until its last user gives it back.</summary>
internal sealed class GrpcMessage : IReceivedMessage
{
    private byte[] _received = [];
    private int _receivedBytes;
    private int _serializedCount;
    private int _users = 1;

    private GrpcMessage()
    {
    }

    public ReadOnlyMemory<byte> Payload { get; private init; }

    /// <summary>How many times the message was serialized. More than once when HttpClient has repeated a request that
    /// no server had begun to handle.</summary>
    public int SerializedCount => Volatile.Read(ref _serializedCount);

    /// <summary>Whether the payload is large enough to try compression.</summary>
    public bool IsWorthCompressing => Payload.Length >= GzipProvider.WorthwhileBytes;

    /// <summary>Makes a message to send.</summary>
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

    /// <summary>Copies a received message, because gRPC owns its bytes only during this call.</summary>
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

    /// <summary>The received payload, valid until the message is given back.</summary>
    /// <exception cref="WireException">The message is no <c>BytesValue</c>.</exception>
    public ReadOnlyMemory<byte> ReadPayload() => BytesValue.ReadPayload(_received.AsMemory(0, _receivedBytes));

    public void Keep() => Interlocked.Increment(ref _users);

    public void GiveBack()
    {
        if (Interlocked.Decrement(ref _users) > 0)
            return;
        if (_received.Length > 0)
            ArrayPool<byte>.Shared.Return(_received);
        _received = [];
        _receivedBytes = 0;
    }
}
