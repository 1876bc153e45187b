namespace Cluster.Nodes.Handoff;

/// <summary>No partition of a batch could be sent, so the loop backs off before it tries again.</summary>
/// <param name="count">How many partitions there were.</param>
internal sealed class HandoffStalledException(int count)
    : Exception($"None of {count} partitions could be handed over; each is tried again.");
