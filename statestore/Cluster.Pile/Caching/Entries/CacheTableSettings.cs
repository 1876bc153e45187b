namespace Cluster.Pile.Caching.Entries;

/// <summary>The options that a table was made with, for good. Immutable.</summary>
internal sealed record CacheTableSettings(
    CacheTableKind Kind, long BytesMin, long? BytesMax, LifeSettings Life);
