namespace Cluster.Slim.Hosting;

/// <summary>The 64-bit hash of all parts: XXH3 with 64-bit result, after its published specification. It has no state.
/// Same bytes and seed give the same value on every machine and in every version.</summary>
public static class XxHash3
{
    /// <summary>Hashes the bytes.</summary>
    /// <param name="data">Any length, also zero.</param>
    /// <param name="seed">Keeps hash spaces apart; zero is the plain hash.</param>
    public static ulong Hash(ReadOnlySpan<byte> data, ulong seed = 0) =>
        System.IO.Hashing.XxHash3.HashToUInt64(data, unchecked((long)seed));
}
