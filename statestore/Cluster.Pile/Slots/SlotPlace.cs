using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>Where a granule that lies on a slot border is: found once by <see cref="SlotSpace"/>, true as long as the
/// slab entry is unchanged. An immutable value.</summary>
/// <param name="Granule">The granule of the slot.</param>
/// <param name="Entry">The slab entry that said so.</param>
/// <param name="Offset">Where the header lies in the window.</param>
/// <param name="Bytes">The size of the slot with its header.</param>
internal readonly record struct SlotPlace(long Granule, SlabEntry Entry, long Offset, long Bytes);
