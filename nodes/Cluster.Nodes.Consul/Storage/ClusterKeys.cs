namespace Cluster.Nodes.Consul.Storage;

/// <summary>Where a cluster's data lies in Consul's key-value store. Immutable.</summary>
internal sealed class ClusterKeys(string clusterName)
{
    /// <summary>The prefix of every cluster's keys, which the token must be allowed to write.</summary>
    public const string Root = "cluster";

    /// <summary>The cluster's name.</summary>
    public string ClusterName { get; } = clusterName;

    /// <summary>The fixed properties, as JSON.</summary>
    public string Meta { get; } = $"{Root}/{clusterName}/meta";

    /// <summary>The coordinator's lock.</summary>
    public string Coordinator { get; } = $"{Root}/{clusterName}/coord";

    /// <summary>The member list: a table without partitions.</summary>
    public string Members { get; } = $"{Root}/{clusterName}/members";

    /// <summary>The partitions: a table without members.</summary>
    public string Table { get; } = $"{Root}/{clusterName}/table";

    /// <summary>The table's version in decimal digits: the small key that nodes watch.</summary>
    public string Version { get; } = $"{Root}/{clusterName}/version";
}
