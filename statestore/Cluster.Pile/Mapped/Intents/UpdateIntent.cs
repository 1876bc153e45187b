using Cluster.Pile.Layout;

namespace Cluster.Pile.Mapped.Intents;

/// <summary>One update that replaces the payload in an owner's slot. An immutable value.</summary>
/// <param name="Granule">The granule of the owner.</param>
/// <param name="Locked">The owner's header while it is locked.</param>
/// <param name="Next">The owner's header after the update.</param>
/// <param name="Spare">The marked slot that holds the whole new value.</param>
internal readonly record struct UpdateIntent(long Granule, SlotHeader Locked, SlotHeader Next, PilePointer Spare);
