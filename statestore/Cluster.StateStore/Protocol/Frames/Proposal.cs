namespace Cluster.StateStore.Protocol.Frames;

/// <summary>What a node asks the coordinator to put into the next table. It ends with the first table after the version
/// that it names, whether it is in it or not. Immutable.</summary>
/// <param name="Version">The table that the wishes change.</param>
/// <param name="Wishes">The wishes, at most one per partition.</param>
internal sealed record Proposal(long Version, ImmutableArray<Wish> Wishes);
