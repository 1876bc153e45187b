namespace Cluster.Nodes.Members;

/// <summary>Which versions of the protocol between nodes this node speaks. Only tests have another one than the
/// default: they run nodes of an earlier version. Immutable.</summary>
/// <param name="Version">The highest version; null: that of this library.</param>
/// <param name="RaiseAfter">How long all nodes must speak a version before nodes without it are refused; null: as long
/// as this library says.</param>
internal sealed record NodeProtocol(int? Version = null, TimeSpan? RaiseAfter = null);
