namespace Cluster.Pile.Slabs;

/// <summary>The slot counts of one size class. An immutable value, taken under the lock of the class.</summary>
internal readonly record struct SizeClassCounts(
    int SlotBytes, long Slots, long FreeSlots, long RetiredSlots, long OwnedBlocks);
