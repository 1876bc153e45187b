using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting.States;

/// <summary>The value that a change is made to. Immutable.</summary>
/// <param name="Key">The key.</param>
/// <param name="Ordinal">The state's place in the catalog.</param>
/// <param name="Expiry">When the value expires if the change creates it; never the default form.</param>
internal readonly record struct ChangeTarget(StateKey Key, int Ordinal, StateExpiry Expiry);
