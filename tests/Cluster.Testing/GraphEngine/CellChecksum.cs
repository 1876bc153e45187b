namespace Cluster.Testing.GraphEngine;

/// <summary>The checksum of all live cells, independent of their order. <c>unordered_map.cpp</c> computes the same one.
/// Stateless.</summary>
public static class CellChecksum
{
    private const ulong Prime = 0x9E3779B185EBCA87;

    /// <summary>The part of one cell. The sum over all cells is the checksum.</summary>
    public static ulong Of(long id, ushort type, ReadOnlySpan<byte> bytes)
    {
        var sum = ((ulong)id + 1) * Prime;
        sum = (sum ^ type) * Prime;
        sum = (sum ^ (uint)bytes.Length) * Prime;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
            sum = (sum ^ BinaryPrimitives.ReadUInt64LittleEndian(bytes)) * Prime;
        foreach (var last in bytes)
            sum = (sum ^ last) * Prime;
        return sum ^ (sum >> 29);
    }
}
