using Cluster.Pile.Tables;

namespace Cluster.Pile.Caching;

/// <summary>What a cache table holds and what happened to it since it was made. A snapshot; exact when nothing
/// runs.</summary>
public sealed record CacheTableStatistics
{
    /// <summary>Entries, those included that expired and were not yet removed.</summary>
    public required long Entries { get; init; }

    /// <summary>Bytes of the pile that the table takes, index and dead entries included.</summary>
    public required long Bytes { get; init; }

    /// <summary>Entries that it may have; null without a limit.</summary>
    public required long? MaxEntries { get; init; }

    /// <summary>Bytes that it may take; null for what the pile has.</summary>
    public required long? MaxBytes { get; init; }

    /// <summary>Bytes in that of entries that were replaced or removed, which come back with their segment.</summary>
    public required long DeadBytes { get; init; }

    /// <summary>Reads that found their key.</summary>
    public required long Hits { get; init; }

    /// <summary>Reads that did not.</summary>
    public required long Misses { get; init; }

    /// <summary>Puts of new keys.</summary>
    public required long Inserts { get; init; }

    /// <summary>Puts that replaced the value of a key.</summary>
    public required long Replacements { get; init; }

    /// <summary>Puts that were refused.</summary>
    public required long Refusals { get; init; }

    /// <summary>Entries that the user removed.</summary>
    public required long Removals { get; init; }

    /// <summary>Entries that were evicted to make room.</summary>
    public required long Evictions { get; init; }

    /// <summary>Entries that expired and whose memory came back; it does some time after their end.</summary>
    public required long Expiries { get; init; }

    /// <summary>Values that are being loaded.</summary>
    public required int Loads { get; init; }

    /// <summary>The share of reads that found their key; zero without reads.</summary>
    public double HitRatio => Hits + Misses == 0 ? 0 : (double)Hits / (Hits + Misses);

    internal static CacheTableStatistics Of(
        RecordStore store, CacheCounters counters, (long? Bytes, long? Entries) max, int loads) => new()
        {
            Entries = store.Count,
            MaxEntries = max.Entries,
            MaxBytes = max.Bytes,
            Bytes = store.ReservedBytes,
            DeadBytes = store.DeadBytes,
            Hits = counters.Hits,
            Misses = counters.Misses,
            Inserts = counters.Inserts,
            Replacements = counters.Replacements,
            Refusals = counters.Refusals,
            Removals = counters.Removals,
            Evictions = store.Sweeper.Evicted,
            Expiries = store.Sweeper.Expired,
            Loads = loads,
        };
}
