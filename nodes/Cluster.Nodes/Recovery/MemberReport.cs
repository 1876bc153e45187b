namespace Cluster.Nodes.Recovery;

/// <summary>What is known of a member whose cluster store was emptied. Immutable.</summary>
/// <param name="Node">The member.</param>
/// <param name="IsProvenDead">Whether its process is proven to be gone.</param>
/// <param name="Report">Its own report, or null: it does not answer.</param>
internal sealed record MemberReport(NodeId Node, bool IsProvenDead, TableReport? Report);
