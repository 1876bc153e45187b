using Cluster.Slim.Hosting;

namespace Cluster.Glue.Wire;

/// <summary>The fields before an envelope's body, as a value to write; <see cref="GlueWire"/> names their
/// order.</summary>
internal readonly struct EnvelopeHeader
{
    public required EnvelopeKind Kind { get; init; }

    public ulong CallId { get; init; }

    /// <summary>The method handle, or the signature hash when <see cref="IsNamed"/>.</summary>
    public ulong Method { get; init; }

    public ulong ContractHash { get; init; }

    public ulong LayoutFingerprint { get; init; }

    public bool IsNamed { get; init; }

    /// <summary>The id of the called object; 0: the service.</summary>
    public ulong Target { get; init; }

    /// <summary>The chain of calls to which the call belongs; 0: the call is the first.</summary>
    public ulong Chain { get; init; }

    /// <summary>The line of a one-way call, which is the line's id, or of a call that follows those; 0: none.</summary>
    public ulong Line { get; init; }

    /// <summary>The time left for the call, at least 1; 0: the sender gave no time.</summary>
    public ulong RemainingMilliseconds { get; init; }

    /// <summary>When the remaining time was correct, as a timestamp. It is the time in this header, or in the header
    /// inside the body of a chunk. Null: there is no remaining time.</summary>
    public long? CountedAt { get; init; }

    /// <summary>The content of the header block; empty for none.</summary>
    public ReadOnlyMemory<byte> Headers { get; init; }

    /// <summary>The bytes that <see cref="Write"/> needs at most.</summary>
    public int BytesMax => GlueWire.EnvelopeHeaderBytesMax + (Headers.IsEmpty ? 0 : Varint.BytesMax + Headers.Length);

    /// <summary>Writes all bytes before the body; returns their length.</summary>
    public int Write(Span<byte> destination, int bodyLength)
    {
        var at = WriteHead(destination);
        return at + Varint.Write(destination[at..], (ulong)bodyLength);
    }

    /// <summary>Writes the bytes before the length of the body; returns their length.</summary>
    public int WriteHead(Span<byte> destination)
    {
        var hasTarget = (Target | Chain) != 0;
        var flags = (IsNamed ? GlueWire.FlagNamedMethod : 0)
            | (hasTarget ? GlueWire.FlagTarget : 0)
            | (Headers.IsEmpty ? 0 : GlueWire.FlagHeaders);
        var isFollowing = Kind == EnvelopeKind.Call && Line != 0;
        destination[0] = (byte)((int)(isFollowing ? EnvelopeKind.Following : Kind) | flags);
        var at = 1 + Varint.Write(destination[1..], Kind == EnvelopeKind.OneWay ? Line : CallId);
        if (Kind is EnvelopeKind.Call or EnvelopeKind.OneWay)
        {
            at += WriteMethod(destination[at..]);
            if (hasTarget)
            {
                at += Varint.Write(destination[at..], Target);
                at += Varint.Write(destination[at..], Chain);
            }

            if (isFollowing)
                at += Varint.Write(destination[at..], Line);
            at += Varint.Write(destination[at..], RemainingMilliseconds);
        }

        if (!Headers.IsEmpty)
            at += WriteHeaders(destination[at..]);
        return at;
    }

    private int WriteHeaders(Span<byte> destination)
    {
        var at = Varint.Write(destination, (ulong)Headers.Length);
        Headers.Span.CopyTo(destination[at..]);
        return at + Headers.Length;
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
