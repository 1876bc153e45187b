namespace Cluster.Pile.Mapped;

/// <summary>The counters of a pile after its last thread has left it. An immutable value.</summary>
/// <param name="Objects">Live objects.</param>
/// <param name="Links">Live objects that have a body.</param>
/// <param name="LiveBytes">Payload bytes.</param>
/// <param name="RetiredSlots">The number of retired slots of each size class.</param>
internal sealed record MappedTotals(long Objects, long Links, long LiveBytes, IReadOnlyList<long> RetiredSlots);
