namespace Cluster.StateStore.Protocol.Frames;

/// <summary>The answer to an <see cref="AppendFrame"/>. Immutable.</summary>
/// <param name="Number">The number of that frame.</param>
/// <param name="TableVersion">The version of the table that the backup knows.</param>
/// <param name="Items">One per partition.</param>
internal sealed record AckFrame(long Number, long TableVersion, ImmutableArray<AckItem> Items);
