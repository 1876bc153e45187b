using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>Looks at the beginning of a gRPC message before gRPC reads it: gRPC has one limit for all messages of a
/// method, and logs a message that breaks the rules as an error of the server. Pure.</summary>
internal static class GrpcFrame
{
    private const byte Compressed = 1;

    // Head 10, an empty block 2, trailer 8. .NET takes the beginning of a head for a gzip of nothing.
    private const int GzipBytesMin = 20;

    /// <summary>The bytes of the first message with its prefix; null: its prefix has not arrived.</summary>
    /// <param name="received">What has arrived.</param>
    /// <param name="payloadBytesMax">Most bytes of its payload; what is around it does not count.</param>
    /// <param name="isGzipAgreedOn">Whether it may be compressed.</param>
    /// <exception cref="WireException">It may not come.</exception>
    public static long? LengthOf(in ReadOnlySequence<byte> received, int payloadBytesMax, bool isGzipAgreedOn)
    {
        Span<byte> prefix = stackalloc byte[GlueWire.GrpcPrefixBytes];
        if (received.Length < prefix.Length)
            return null;
        received.Slice(0, prefix.Length).CopyTo(prefix);
        var flag = prefix[0];
        var length = BinaryPrimitives.ReadUInt32BigEndian(prefix[1..]);
        if (flag != 0 && (flag != Compressed || !isGzipAgreedOn))
            throw new WireException($"gRPC frame: compressed flag {flag}; compression was not agreed on.");
        if (length > (uint)GrpcMethods.MaxMessageBytes(payloadBytesMax))
            throw new WireException($"gRPC frame: {length} bytes announced, {payloadBytesMax} are allowed here.");
        if (flag == Compressed && length is > 0 and < GzipBytesMin)
        {
            throw new WireException(
                $"gRPC frame: what is flagged as compressed is no gzip: it has {length} bytes.");
        }

        return prefix.Length + (long)length;
    }

    /// <summary>What is wrong when no more comes.</summary>
    public static WireException CutShort(long receivedBytes) =>
        new WireException($"gRPC frame: the stream ended after {receivedBytes} bytes of a message.");
}
