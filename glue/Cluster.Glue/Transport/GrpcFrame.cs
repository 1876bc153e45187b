using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>Checks the beginning of a gRPC message before gRPC reads it, because gRPC has only one size limit for all
/// messages of a method, and logs a message that breaks the rules as an error of the server. Pure.</summary>
internal static class GrpcFrame
{
    private const byte Compressed = 1;

    // Head 10, an empty block 2, trailer 8. .NET takes an incomplete head for an empty gzip.
    private const int GzipBytesMin = 20;

    /// <summary>The length of the first message with its prefix, in bytes; null: the prefix is incomplete.</summary>
    /// <param name="received">The received bytes.</param>
    /// <param name="payloadBytesMax">The largest payload in bytes, without the bytes around it.</param>
    /// <param name="isGzipAgreedOn">Whether the message may be compressed.</param>
    /// <exception cref="WireException">The message is not allowed.</exception>
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

    /// <summary>The failure when the stream ends within a message.</summary>
    public static WireException CutShort(long receivedBytes) =>
        new WireException($"gRPC frame: the stream ended after {receivedBytes} bytes of a message.");
}
