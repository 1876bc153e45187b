using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>The partners of a <see cref="Coordinator"/>. Immutable.</summary>
internal sealed record CoordinatorParts(
    IClusterStore Store, TableView View, TableProposer Proposer, FailureDetector Examiner, PartitionCounts Counts)
{
    public required NodeIdentity Self { get; init; }

    public required ClusterSettings Settings { get; init; }
}
