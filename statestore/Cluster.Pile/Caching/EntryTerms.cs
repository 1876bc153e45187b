namespace Cluster.Pile.Caching;

/// <summary>What a caller says about an entry beside its value. Immutable.</summary>
internal readonly record struct EntryTerms(int Priority, TimeSpan? MaxAge, DateTimeOffset? AbsoluteExpiration);
