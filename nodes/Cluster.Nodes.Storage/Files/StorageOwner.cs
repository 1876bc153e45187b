namespace Cluster.Nodes.Storage.Files;

/// <summary>Whose values a folder keeps. Immutable. The identity of the cluster is no part of it: a storage outlives
/// the cluster, and the next one has the same name.</summary>
/// <param name="Cluster">The name of the cluster.</param>
/// <param name="State">The name of the state.</param>
internal sealed record StorageOwner(string Cluster, string State)
{
    public override string ToString() => $"state '{LogText.Clean(State)}' of cluster '{LogText.Clean(Cluster)}'";
}
