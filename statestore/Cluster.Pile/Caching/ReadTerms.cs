namespace Cluster.Pile.Caching;

/// <summary>What a caller says about a read beside the key. An immutable value; <c>default</c> is a plain
/// read.</summary>
/// <param name="AgeMax">Entries that are older are not found; null finds all.</param>
/// <param name="IsGlance">Whether the read lengthens no life and does not count as use.</param>
internal readonly record struct ReadTerms(TimeSpan? AgeMax, bool IsGlance = false);
