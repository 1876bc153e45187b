namespace Cluster.Nodes.Stores.Files;

/// <summary>How long to wait for a lock, and by which clock. Immutable.</summary>
/// <param name="Deadline">When to give up.</param>
/// <param name="Time">The clock.</param>
internal readonly record struct LockWait(TimeSpan Deadline, TimeProvider Time);
