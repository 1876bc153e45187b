namespace Cluster.Pile.Caching;

/// <summary>The options of a read. An immutable value; <c>default</c> is a plain read.</summary>
/// <param name="AgeMax">Older entries are not found; null finds all.</param>
/// <param name="IsGlance">Whether the read does not extend the time to live and does not count as use.</param>
internal readonly record struct ReadTerms(TimeSpan? AgeMax, bool IsGlance = false);
