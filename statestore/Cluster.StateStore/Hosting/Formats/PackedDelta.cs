using System.IO.Compression;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>The packed form of a delta, as <c>docs/formats/table-delta.md</c> describes it: the bytes of
/// <see cref="TableDeltaCodec"/> as one Brotli stream (RFC 7932). The slots of few members fill most of a delta, so the
/// packed form has about half of its bytes. Stateless.</summary>
public static class PackedDelta
{
    // Higher levels take several times longer and make little of it.
    private const int Quality = 4;
    private const int WindowBits = 18;

    /// <summary>Whether a node gives and understands packed deltas.</summary>
    /// <param name="member">The node.</param>
    public static bool IsSpokenBy(ClusterMember member)
    {
        ArgumentNullException.ThrowIfNull(member);
        return member.Protocol >= ProtocolVersion.WithPackedDeltas;
    }

    /// <summary>Packs the bytes of a delta.</summary>
    /// <param name="delta">What <see cref="TableDeltaCodec.Encode"/> has made.</param>
    public static byte[] Pack(ReadOnlySpan<byte> delta)
    {
        var packed = ArrayPool<byte>.Shared.Rent(BrotliEncoder.GetMaxCompressedLength(delta.Length));
        try
        {
            return BrotliEncoder.TryCompress(delta, packed, out var length, Quality, WindowBits)
                ? packed[..length]
                : throw new InvalidOperationException($"A delta of {delta.Length} bytes could not be packed.");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(packed);
        }
    }

    /// <summary>Restores the bytes of a delta.</summary>
    /// <param name="packed">What <see cref="Pack"/> has made.</param>
    /// <exception cref="StateFormatException">They are damaged, or the delta would be larger than a delta may
    /// be.</exception>
    public static byte[] Unpack(ReadOnlySpan<byte> packed)
    {
        var delta = ArrayPool<byte>.Shared.Rent(TableDeltaCodec.MaxEncodedBytes);
        try
        {
            var room = delta.AsSpan(0, TableDeltaCodec.MaxEncodedBytes);
            return BrotliDecoder.TryDecompress(packed, room, out var length)
                ? delta[..length]
                : throw new StateFormatException(
                    $"Packed table delta of {packed.Length} bytes: it is damaged, or holds more than "
                    + $"{TableDeltaCodec.MaxEncodedBytes} bytes.");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(delta);
        }
    }
}
