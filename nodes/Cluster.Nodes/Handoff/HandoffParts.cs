using Cluster.Contracts;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Handoff;

/// <summary>The partners of a <see cref="HandoffSender"/>. Immutable.</summary>
internal sealed record HandoffParts(
    NodeStateStore Store, TableView View, IStatePeerDirectory Peers, TableProposer Proposer, IClusterStore ClusterStore)
{
    public required NodeId Self { get; init; }
}
