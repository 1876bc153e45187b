namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Says that a newer table stands in the store. The receiver reads it there and believes nothing else.
/// Immutable.</summary>
/// <param name="Version">The version that the sender knows.</param>
internal sealed record TableHint(long Version);
