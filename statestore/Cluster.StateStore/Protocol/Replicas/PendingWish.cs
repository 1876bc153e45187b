using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>A wish whose outcome is not known: the first table after the version tells it. Until then the replica obeys
/// the stricter of both configurations. Immutable.</summary>
/// <param name="Wish">The wish.</param>
/// <param name="Version">The table that it changes.</param>
internal sealed record PendingWish(Wish Wish, long Version);
