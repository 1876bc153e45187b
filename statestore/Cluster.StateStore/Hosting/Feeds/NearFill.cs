namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>What a near cache knew before a value was read. Immutable.</summary>
/// <param name="Index">The number of the partition within its set.</param>
/// <param name="Generation">How often the watch of the partition has begun.</param>
/// <param name="Stripe">How often keys of the same stripe have changed.</param>
internal readonly record struct NearFill(int Index, int Generation, int Stripe);
