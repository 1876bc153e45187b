using Cluster.Pile.Layout;

namespace Cluster.Pile.Objects;

/// <summary>Kind and size of an object that was read. When it is longer than the destination, nothing was copied.
/// Immutable.</summary>
internal readonly record struct StoredObject(PayloadKind Kind, int Length);
