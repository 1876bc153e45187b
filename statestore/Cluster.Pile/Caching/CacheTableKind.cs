namespace Cluster.Pile.Caching;

/// <summary>What a table does when there is no room.</summary>
public enum CacheTableKind
{
    /// <summary>Evicts what is worth least; lower priorities first, and never a higher one than that of the new
    /// entry.</summary>
    Speculative = 0,

    /// <summary>Evicts nothing: a put is refused.</summary>
    Durable = 1,
}
