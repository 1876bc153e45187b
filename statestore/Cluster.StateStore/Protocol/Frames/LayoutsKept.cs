namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Acknowledges layout descriptions. Immutable.</summary>
/// <param name="Marks">What has arrived.</param>
internal sealed record LayoutsKept(ImmutableArray<LayoutMark> Marks);

/// <summary>A range of the sender's list of descriptions. Immutable.</summary>
/// <param name="State">The id of the state.</param>
/// <param name="First">The first place.</param>
/// <param name="End">The place behind the last one.</param>
internal readonly record struct LayoutMark(uint State, int First, int End);
