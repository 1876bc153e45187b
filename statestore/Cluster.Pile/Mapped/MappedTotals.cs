namespace Cluster.Pile.Mapped;

/// <summary>What a pile held when the last thread had left it. An immutable value.</summary>
/// <param name="Objects">Live objects.</param>
/// <param name="Links">Those of them that have a body.</param>
/// <param name="LiveBytes">Payload bytes.</param>
/// <param name="RetiredSlots">Slots of each size class whose generations are used up.</param>
internal sealed record MappedTotals(long Objects, long Links, long LiveBytes, IReadOnlyList<long> RetiredSlots);
