using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting.States;

/// <summary>What a change is made to. Immutable.</summary>
/// <param name="Key">The key.</param>
/// <param name="Ordinal">The state's place in the catalog.</param>
/// <param name="Expiry">When a value goes away that was not there before; never the default form.</param>
internal readonly record struct ChangeTarget(StateKey Key, int Ordinal, StateExpiry Expiry);
