using Cluster.StateStore.Protocol.Storage;

namespace Cluster.Testing.Simulation.Core;

/// <summary>A snapshot of a partition on a simulated disk. Immutable.</summary>
/// <param name="Mark">Of which state of the partition it is.</param>
/// <param name="Content">The records and the answers to requests.</param>
internal sealed record SimulatedSnapshot(SnapshotMark Mark, SnapshotContent Content);
