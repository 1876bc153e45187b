using Microsoft.Extensions.Caching.Hybrid;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>The options of one call, with what the cache sets where the call leaves something out.</summary>
/// <param name="Life">When an entry of the cluster goes away.</param>
/// <param name="LocalLife">When an entry of this process alone goes away.</param>
/// <param name="Flags">What the call disables.</param>
internal readonly record struct EntryOptions(TimeSpan Life, TimeSpan LocalLife, HybridCacheEntryFlags Flags)
{
    public bool MayReadLocal => (Flags & HybridCacheEntryFlags.DisableLocalCacheRead) == 0;

    public bool MayWriteLocal => (Flags & HybridCacheEntryFlags.DisableLocalCacheWrite) == 0;

    public bool MayReadCluster => (Flags & HybridCacheEntryFlags.DisableDistributedCacheRead) == 0;

    public bool MayWriteCluster => (Flags & HybridCacheEntryFlags.DisableDistributedCacheWrite) == 0;

    /// <summary>How long readers of this process may share what it finds in the cluster.</summary>
    public TimeSpan SharedLife => MayWriteLocal ? LocalLife : TimeSpan.Zero;

    public bool MayRunFactory => (Flags & HybridCacheEntryFlags.DisableUnderlyingData) == 0;
}
