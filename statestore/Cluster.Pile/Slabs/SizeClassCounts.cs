namespace Cluster.Pile.Slabs;

/// <summary>How many slots one size class has. An immutable value, taken under the lock of the class.</summary>
internal readonly record struct SizeClassCounts(
    int SlotBytes, long Slots, long FreeSlots, long RetiredSlots, long OwnedBlocks);
