namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Entries of several partitions for one backup. Immutable.</summary>
/// <param name="Number">Counts the frames to this node.</param>
/// <param name="Items">One per partition.</param>
internal sealed record AppendFrame(long Number, ImmutableArray<AppendItem> Items);
