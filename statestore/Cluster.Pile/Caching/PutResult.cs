namespace Cluster.Pile.Caching;

/// <summary>What a put into a cache table did.</summary>
public enum PutResult
{
    /// <summary>Nothing: there is no room, or none that may be taken from entries of this or a lower priority. What was
    /// under the key before is still there, unless it was evicted meanwhile.</summary>
    Refused = 0,

    /// <summary>The key is new (or its entry had expired).</summary>
    Inserted = 1,

    /// <summary>The key had an entry, which has the new value now.</summary>
    Replaced = 2,

    /// <summary>The key is new, and entries of a lower priority were evicted to make room for it.</summary>
    Overwrote = 3,
}
