using Cluster.Pile.Slots;

namespace Cluster.Pile.Mapped;

/// <summary>One update that replaces the payload in an owner's slot. An immutable value.</summary>
/// <param name="Granule">The owner.</param>
/// <param name="Locked">The owner's header while it is locked.</param>
/// <param name="Next">The header with which the update ends.</param>
/// <param name="Spare">The slot in which the whole new value stands, marked.</param>
internal readonly record struct UpdateIntent(long Granule, SlotHeader Locked, SlotHeader Next, PilePointer Spare);
