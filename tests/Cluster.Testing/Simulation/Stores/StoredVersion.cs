using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>One version of the table that the store has had. Immutable.</summary>
/// <param name="At">The true time at which it was written.</param>
/// <param name="Table">The table.</param>
/// <param name="Proposer">The life that proposed it; the default value for the first version.</param>
public sealed record StoredVersion(TimeSpan At, ClusterTable Table, NodeId Proposer);
