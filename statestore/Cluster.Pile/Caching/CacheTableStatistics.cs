using Cluster.Pile.Tables;

namespace Cluster.Pile.Caching;

/// <summary>The content of a cache table, and the counts of its operations since it was created. A snapshot; exact when
/// no other operation runs.</summary>
public sealed record CacheTableStatistics
{
    /// <summary>Entries, including those that expired and were not removed yet.</summary>
    public required long Entries { get; init; }

    /// <summary>Bytes of the pile that the table uses, including its index and dead entries.</summary>
    public required long Bytes { get; init; }

    /// <summary>The most entries that the table may have; null without a limit.</summary>
    public required long? MaxEntries { get; init; }

    /// <summary>The most bytes that the table may use; null when only the pile limits it.</summary>
    public required long? MaxBytes { get; init; }

    /// <summary>The part of <see cref="Bytes"/> that belongs to replaced or removed entries. It becomes free together
    /// with its segment.</summary>
    public required long DeadBytes { get; init; }

    /// <summary>Reads that found their key.</summary>
    public required long Hits { get; init; }

    /// <summary>Reads that did not find their key.</summary>
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

    /// <summary>Expired entries whose memory was freed, which happens some time after they expire.</summary>
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
            Evictions = store.Evicted,
            Expiries = store.Expired,
            Loads = loads,
        };
}
