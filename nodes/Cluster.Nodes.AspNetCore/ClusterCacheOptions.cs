using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore;

/// <summary>How a distributed cache over a state of the cluster behaves. Read once, when the cache is registered; the
/// same on every node.</summary>
public sealed class ClusterCacheOptions
{
    /// <summary>The largest <see cref="MaxValueBytes"/>: 64 MiB less what the cluster writes beside a value.</summary>
    public const int MaxValueBytesLimit = (64 << 20) - 64;

    /// <summary>The largest <see cref="MaxKeyLength"/>: keys of this length always fit the 4,096 bytes that a state
    /// allows.</summary>
    public const int MaxKeyLengthLimit = 1_365;

    /// <summary>The longest key, in UTF-16 code units. A longer one is refused with a
    /// <see cref="CacheLimitException"/>.</summary>
    /// <value>1,024; from 1 to <see cref="MaxKeyLengthLimit"/>.</value>
    public int MaxKeyLength { get; set; } = 1_024;

    /// <summary>The largest value, in bytes. A larger one is refused with a <see cref="CacheLimitException"/> before
    /// anything is sent.</summary>
    /// <value>1 MiB; from 1 to <see cref="MaxValueBytesLimit"/>.</value>
    public int MaxValueBytes { get; set; } = 1 << 20;

    /// <summary>How many other nodes keep a copy of each value. With 0, the values of a node are lost when the node
    /// dies, and are read as missing. Set 1 where the cache holds values that nobody can make again, such as
    /// sessions.</summary>
    /// <value>0; at most 3. The number of a cache never changes in the life of a cluster.</value>
    public int Backups { get; set; }

    /// <summary>When a value goes away whose write names no expiry at all.</summary>
    /// <value><see cref="StateExpiry.Never"/>, as in the other caches of .NET: the value stays until it is
    /// removed.</value>
    public StateExpiry DefaultExpiry { get; set; } = StateExpiry.Never;

    /// <summary>Refuses options that cannot work, with all problems.</summary>
    internal void ThrowIfInvalid(string cache)
    {
        var problems = new List<string>();
        if (MaxKeyLength is < 1 or > MaxKeyLengthLimit)
            problems.Add($"{nameof(MaxKeyLength)} is {MaxKeyLength}; it must be from 1 to {MaxKeyLengthLimit}");
        if (MaxValueBytes is < 1 or > MaxValueBytesLimit)
            problems.Add($"{nameof(MaxValueBytes)} is {MaxValueBytes}; it must be from 1 to {MaxValueBytesLimit}");
        if (Backups is < 0 or > 3)
            problems.Add($"{nameof(Backups)} is {Backups}; it must be from 0 to 3");
        if (problems.Count > 0)
            throw new ArgumentException($"Cache '{cache}': {string.Join("; ", problems)}.");
    }
}
