namespace Cluster.Pile.Caching;

/// <summary>The result of a put into a cache table.</summary>
public enum PutResult
{
    /// <summary>Nothing was stored: there is no room, and entries of this or a lower priority cannot be evicted to make
    /// room. The present entry of the key remains, unless it was evicted meanwhile.</summary>
    Refused = 0,

    /// <summary>The key had no entry, or its entry had expired.</summary>
    Inserted = 1,

    /// <summary>The key had an entry; the entry has the new value.</summary>
    Replaced = 2,

    /// <summary>The key had no entry, and entries of a lower priority were evicted to make room.</summary>
    Overwrote = 3,
}
