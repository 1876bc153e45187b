namespace Cluster.Pile.Caching;

/// <summary>The expiry of a table's entries where a put sets none. Immutable.</summary>
internal sealed record LifeSettings(TimeSpan? MaxAge, TimeSpan? SlidingExpiration, bool TracksAge);
