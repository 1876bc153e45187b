using System.Security.Cryptography;

namespace Cluster.Nodes.AspNetCore.Output;

/// <summary>Makes keys of a state from the keys and tags of the output cache. These have no limit, because a caller
/// chooses the address of a page. Stateless.</summary>
internal static class OutputKey
{
    private const string HashPrefix = "sha256:";

    /// <summary>The text itself; for a long one, its hash.</summary>
    public static string Of(string text) => text.Length <= ClusterCacheOptions.MaxKeyLengthLimit
        ? text
        : HashPrefix + Convert.ToHexString(SHA256.HashData(MemoryMarshal.AsBytes(text.AsSpan())));
}
