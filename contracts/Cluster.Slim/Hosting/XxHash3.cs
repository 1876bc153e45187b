namespace Cluster.Slim.Hosting;

/// <summary>The 64-bit hash that all parts of the framework use: XXH3 with a 64-bit result, as its specification was
/// published. Stateless. The same bytes and seed give the same value on every machine and in every version.</summary>
public static class XxHash3
{
    /// <summary>Hashes the bytes.</summary>
    /// <param name="data">Any length, also zero.</param>
    /// <param name="seed">Different seeds keep the hashes of different uses apart; zero is the plain hash.</param>
    public static ulong Hash(ReadOnlySpan<byte> data, ulong seed = 0) =>
        System.IO.Hashing.XxHash3.HashToUInt64(data, unchecked((long)seed));
}
