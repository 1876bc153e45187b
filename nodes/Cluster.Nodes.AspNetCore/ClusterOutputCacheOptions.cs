namespace Cluster.Nodes.AspNetCore;

/// <summary>How the store of the output cache over states of the cluster behaves. Read once, when the store is
/// registered; the same on every node.</summary>
public sealed class ClusterOutputCacheOptions
{
    /// <summary>The largest <see cref="MaxValueBytes"/>: 64 MiB less what the cluster writes beside a response, of
    /// which its tags are the most.</summary>
    public const int MaxValueBytesLimit = (64 << 20) - (1 << 20);

    /// <summary>The largest response that is kept, with its headers, in bytes. A larger one is refused with a
    /// <see cref="CacheLimitException"/>; the middleware logs that and serves the response.</summary>
    /// <value>4 MiB; from 1 to <see cref="MaxValueBytesLimit"/>.</value>
    public int MaxValueBytes { get; set; } = 4 << 20;

    /// <summary>How many other nodes keep a copy of each response. With 0, the responses of a node are lost when the
    /// node dies, and are made again.</summary>
    /// <value>0; at most 3. The number never changes in the life of a cluster.</value>
    public int Backups { get; set; }

    /// <summary>Refuses options that cannot work, with all problems.</summary>
    internal void ThrowIfInvalid(string cache)
    {
        var problems = new List<string>();
        if (MaxValueBytes is < 1 or > MaxValueBytesLimit)
            problems.Add($"{nameof(MaxValueBytes)} is {MaxValueBytes}; it must be from 1 to {MaxValueBytesLimit}");
        if (Backups is < 0 or > 3)
            problems.Add($"{nameof(Backups)} is {Backups}; it must be from 0 to 3");
        if (problems.Count > 0)
            throw new ArgumentException($"Output cache '{cache}': {string.Join("; ", problems)}.");
    }
}
