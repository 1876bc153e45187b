using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Consul.Storage;

/// <summary>A table as it stood in Consul, with what a compare-and-swap must name to replace it. Immutable.</summary>
/// <param name="Table">The table, members included.</param>
/// <param name="TableIndex">The modification index of the partitions' key.</param>
/// <param name="MembersIndex">The modification index of the members' key.</param>
/// <param name="VersionIndex">The modification index of the version's key.</param>
internal sealed record StoredSnapshot(ClusterTable Table, ulong TableIndex, ulong MembersIndex, ulong VersionIndex);
