namespace Cluster.StateStore.Hosting.States;

/// <summary>The value that a change is made to. Immutable.</summary>
/// <param name="Key">The key.</param>
/// <param name="Expiry">When the value expires if the change creates it; never the default form.</param>
internal readonly record struct ChangeTarget(HashedKey Key, StateExpiry Expiry);
