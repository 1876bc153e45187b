using System.Collections.Concurrent;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Links;

/// <summary>
/// Arrays of batches that no lane needs just now, for all links of the process. They are a pool of their own, because
/// the shared one has no arrays of this length. Thread-safe.
/// </summary>
internal static class BatchArrays
{
    /// <summary>A whole batch with its head.</summary>
    public const int ArrayBytes = GlueWire.Headroom + GlueWire.BatchBytesMax;

    private const int KeptMax = 64;

    private static readonly ConcurrentQueue<byte[]> Kept = new();

    public static byte[] Rent() => Kept.TryDequeue(out byte[]? array) ? array : new byte[ArrayBytes];

    /// <summary>Gives back an array that nobody reads or writes any more.</summary>
    public static void Return(byte[] array)
    {
        if (Kept.Count < KeptMax)
            Kept.Enqueue(array);
    }
}
