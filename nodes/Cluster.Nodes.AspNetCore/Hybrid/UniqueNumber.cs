namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Makes numbers that occur once in the life of a cluster. Stateless.</summary>
internal static class UniqueNumber
{
    /// <summary>Makes a number.</summary>
    public static long Next()
    {
        Span<byte> bytes = stackalloc byte[16];
        Guid.NewGuid().TryWriteBytes(bytes);
        return BinaryPrimitives.ReadInt64LittleEndian(bytes) ^ BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]);
    }
}
