using System.Buffers.Binary;

namespace Cluster.Glue.Wire;

/// <summary>
/// The fields before an envelope's body, as a value to be written: see <see cref="GlueWire"/> for their order.
/// </summary>
internal readonly struct EnvelopeHeader
{
    public required EnvelopeKind Kind { get; init; }

    public ulong CallId { get; init; }

    /// <summary>The method handle, or the signature hash when <see cref="IsNamed"/>.</summary>
    public ulong Method { get; init; }

    public ulong ContractHash { get; init; }

    public ulong LayoutFingerprint { get; init; }

    public bool IsNamed { get; init; }

    /// <summary>Time left for the call, at least 1; 0 when the sender named none.</summary>
    public ulong RemainingMilliseconds { get; init; }

    /// <summary>Writes the header of an envelope without header block; returns its length.</summary>
    public int Write(Span<byte> destination, int bodyLength)
    {
        int at = WriteHead(destination);
        return at + Varint.Write(destination[at..], (ulong)bodyLength);
    }

    /// <summary>Writes what precedes the length of the body; returns its length.</summary>
    public int WriteHead(Span<byte> destination)
    {
        destination[0] = (byte)((byte)Kind | (IsNamed ? GlueWire.FlagNamedMethod : 0));
        int at = 1 + Varint.Write(destination[1..], CallId);
        if (Kind is EnvelopeKind.Call or EnvelopeKind.OneWay)
        {
            at += WriteMethod(destination[at..]);
            at += Varint.Write(destination[at..], RemainingMilliseconds);
        }

        return at;
    }

    private int WriteMethod(Span<byte> destination)
    {
        if (!IsNamed)
            return Varint.Write(destination, Method);
        BinaryPrimitives.WriteUInt64LittleEndian(destination, ContractHash);
        BinaryPrimitives.WriteUInt64LittleEndian(destination[8..], Method);
        BinaryPrimitives.WriteUInt64LittleEndian(destination[16..], LayoutFingerprint);
        return GlueWire.NamedMethodBytes;
    }
}
