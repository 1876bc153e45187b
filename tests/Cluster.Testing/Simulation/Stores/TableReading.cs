using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>The answer to a read of the table. Immutable.</summary>
/// <param name="Request">The number of the request.</param>
/// <param name="IsConsistent">Whether the table was the newest one when the store read it.</param>
/// <param name="ClusterId">The identity of the cluster whose table this is.</param>
/// <param name="Table">The table; null if the store did not answer in time.</param>
/// <param name="Beating">The lives that have told the store lately that they are alive; a hint.</param>
public sealed record TableReading(
    long Request, bool IsConsistent, Guid ClusterId, ClusterTable? Table, ImmutableArray<NodeId> Beating);
