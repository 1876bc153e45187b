using Cluster.Slim.Hosting;

namespace Cluster.Glue.Signatures;

/// <summary>The 64-bit names of methods on the wire: XXH3 of the signature text. Pure.</summary>
internal static class SignatureHash
{
    public static ulong Of(string signature) => XxHash3.Hash(Encoding.UTF8.GetBytes(signature));

    /// <summary>Joins the fingerprints of a method's types, in order.</summary>
    public static ulong Combine(IEnumerable<ulong> fingerprints)
    {
        var bytes = new Wire.WireBuffer(256, int.MaxValue / 2);
        foreach (var fingerprint in fingerprints)
            bytes.WriteUInt64(fingerprint);
        var hash = XxHash3.Hash(bytes.WrittenSpan);
        bytes.Reset();
        return hash;
    }
}
