namespace Cluster.Pile.Slots;

/// <summary>The payload of a slot as its header describes it: bounded by the slot, true while the header is unchanged.
/// Immutable.</summary>
/// <param name="Offset">Where the payload starts in the window.</param>
/// <param name="Length">How many bytes it has.</param>
/// <param name="Kind">What it is; never extended.</param>
internal readonly record struct Payload(long Offset, int Length, PayloadKind Kind);
