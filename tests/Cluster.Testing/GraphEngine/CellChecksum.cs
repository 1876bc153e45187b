namespace Cluster.Testing.GraphEngine;

/// <summary>What live cells add up to, in whatever order they are met; the same as in <c>unordered_map.cpp</c>.
/// Stateless.</summary>
public static class CellChecksum
{
    private const ulong Prime = 0x9E3779B185EBCA87;

    /// <summary>The share of one cell; the sum over all cells is the checksum.</summary>
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
