using Cluster.Pile.Layout;

namespace Cluster.Pile.Slots;

/// <summary>The payload of a slot as its header describes it. It lies within the slot, and is valid while the header is
/// unchanged. Immutable.</summary>
/// <param name="Offset">Where the payload starts in the window.</param>
/// <param name="Length">The number of bytes.</param>
/// <param name="Kind">The real kind; never <see cref="PayloadKind.Extended"/>.</param>
internal readonly record struct Payload(long Offset, int Length, PayloadKind Kind);
