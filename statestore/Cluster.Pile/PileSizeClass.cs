namespace Cluster.Pile;

/// <summary>The slots of one size. An immutable value.</summary>
/// <param name="SlotBytes">The size with its 8-byte header.</param>
/// <param name="Slots">All slots.</param>
/// <param name="FreeSlots">Those that hold no object, including the ones that threads keep at hand.</param>
/// <param name="RetiredSlots">Those that are never used again because their generations ran out.</param>
/// <param name="ReservedBytes">The bytes of their slabs.</param>
public readonly record struct PileSizeClass(
    int SlotBytes, long Slots, long FreeSlots, long RetiredSlots, long ReservedBytes);
