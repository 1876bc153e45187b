namespace Cluster.Pile.Caching;

/// <summary>How long the entries of a table live where a put does not say otherwise. Immutable.</summary>
internal sealed record LifeSettings(TimeSpan? MaxAge, TimeSpan? SlidingExpiration, bool TracksAge);
