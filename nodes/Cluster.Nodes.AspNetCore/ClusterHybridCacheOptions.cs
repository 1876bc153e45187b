using Cluster.Slim;
using Microsoft.Extensions.Caching.Hybrid;

namespace Cluster.Nodes.AspNetCore;

/// <summary>How the hybrid cache of the cluster behaves. Read once, while the host is built, and the same on every
/// node.</summary>
public sealed class ClusterHybridCacheOptions
{
    /// <summary>The largest <see cref="MaximumKeyLength"/>: keys of this length always fit the 4,096 bytes that a state
    /// allows.</summary>
    public const int MaximumKeyLengthLimit = 1_365;

    /// <summary>The largest <see cref="MaximumPayloadBytes"/>: 64 MiB.</summary>
    public const int MaximumPayloadBytesLimit = 64 << 20;

    /// <summary>How much native memory each process may use for the generations of tags of other nodes.</summary>
    internal const long TagCacheBytes = 8 << 20;

    private const long MinNearCacheBytes = 4 << 20;

    private readonly List<Action<SlimOptions>> _types = [];

    /// <summary>The longest key, in UTF-16 code units. What has a longer one is not cached; its factory runs at each
    /// call.</summary>
    /// <value>1,024; from 1 to <see cref="MaximumKeyLengthLimit"/>.</value>
    public int MaximumKeyLength { get; set; } = 1_024;

    /// <summary>The largest serialized entry, in bytes: the value with its tags. A larger one is given to the caller,
    /// but not cached.</summary>
    /// <value>1 MiB; from 1 to <see cref="MaximumPayloadBytesLimit"/>.</value>
    public int MaximumPayloadBytes { get; set; } = 1 << 20;

    /// <summary>The options of calls that name none, and of those that they leave out. Expiration is five minutes where
    /// neither names one.</summary>
    /// <value>Null: none.</value>
    public HybridCacheEntryOptions? DefaultEntryOptions { get; set; }

    /// <summary>How many other nodes keep a copy of each entry.</summary>
    /// <value>0: an entry is lost with its node, and made again. At most 3.</value>
    public int Backups { get; set; }

    /// <summary>How much native memory each process may use for entries of other nodes that it has read. It forgets an
    /// entry as soon as the owner tells of a change, and after two seconds without word from the owner. Objects that
    /// readers of the process share may take as much managed memory.</summary>
    /// <value>32 MiB; 0 keeps none, otherwise at least 4 MiB.</value>
    public long NearCacheBytes { get; set; } = 32 << 20;

    /// <summary>How long the cluster remembers a tag. When it forgets one, it treats the entries with this tag as
    /// removed.</summary>
    /// <value>Seven days; more than zero.</value>
    public TimeSpan TagLifetime { get; set; } = TimeSpan.FromDays(7);

    /// <summary>Adds to the closed list of types that values may contain. A value with another type is given to the
    /// caller, but not cached, and the log names the call to add.</summary>
    /// <param name="configure">Adds types or codecs.</param>
    public ClusterHybridCacheOptions ConfigureTypes(Action<SlimOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _types.Add(configure);
        return this;
    }

    /// <summary>Adds the types of <see cref="ConfigureTypes"/> to the options of a serializer.</summary>
    internal void AddTypes(SlimOptions types)
    {
        foreach (var configure in _types)
            configure(types);
    }

    /// <summary>Refuses options that cannot work, with all problems.</summary>
    internal void ThrowIfInvalid()
    {
        var problems = new List<string>();
        if (MaximumKeyLength is < 1 or > MaximumKeyLengthLimit)
            problems.Add($"MaximumKeyLength is {MaximumKeyLength}; it must be from 1 to {MaximumKeyLengthLimit}");
        if (MaximumPayloadBytes is < 1 or > MaximumPayloadBytesLimit)
        {
            problems.Add(
                $"MaximumPayloadBytes is {MaximumPayloadBytes}; it must be from 1 to {MaximumPayloadBytesLimit}");
        }

        if (Backups is < 0 or > 3)
            problems.Add($"Backups is {Backups}; it must be from 0 to 3");
        if (NearCacheBytes is not 0 and < MinNearCacheBytes)
            problems.Add($"NearCacheBytes is {NearCacheBytes}; it must be 0 or at least {MinNearCacheBytes}");
        if (TagLifetime <= TimeSpan.Zero)
            problems.Add($"TagLifetime is {TagLifetime}; it must be more than zero");
        if (DefaultEntryOptions is { Expiration: { } expiration } && expiration <= TimeSpan.Zero)
            problems.Add($"DefaultEntryOptions.Expiration is {expiration}; it must be more than zero");
        if (problems.Count > 0)
            throw new ArgumentException($"AddClusterHybridCache: {string.Join("; ", problems)}.");
    }
}
