namespace Cluster.Nodes.Stores;

/// <summary>What tells a stored table from any other one without reading it.</summary>
/// <param name="Version">The table's version.</param>
/// <param name="Digest">The digest of the table, as <c>ClusterTableCodec.Digest</c> computes it. Null: the store keeps
/// none, so only the whole table can be read.</param>
public readonly record struct TableStamp(long Version, ulong? Digest);
