namespace Cluster.Buffers.Tests;

/// <summary>Bytes that follow from a seed and their length.</summary>
internal static class Pattern
{
    public static void Fill(Span<byte> bytes, ulong seed) => Made(bytes, seed).CopyTo(bytes);

    public static bool Is(ReadOnlySpan<byte> bytes, ulong seed) => bytes.SequenceEqual(Made(bytes, seed));

    private static byte[] Made(ReadOnlySpan<byte> like, ulong seed)
    {
        var bytes = new byte[like.Length];
        new Random(HashCode.Combine(seed, like.Length)).NextBytes(bytes);
        return bytes;
    }
}
