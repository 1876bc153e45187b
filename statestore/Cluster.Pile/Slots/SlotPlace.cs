using Cluster.Pile.Layout;

namespace Cluster.Pile.Slots;

/// <summary>Where the slot of a granule lies. <see cref="SlotSpace"/> finds it; it is valid while the slab entry is
/// unchanged. An immutable value.</summary>
/// <param name="Granule">The granule of the slot.</param>
/// <param name="Entry">The slab entry at the time of the search.</param>
/// <param name="Offset">Where the header lies in the window.</param>
/// <param name="Bytes">The size of the slot with its header.</param>
internal readonly record struct SlotPlace(long Granule, SlabEntry Entry, long Offset, long Bytes);
