using Cluster.Nodes;
using Cluster.Nodes.Consul;

namespace Shop.Drive.Supervision;

/// <summary>The cluster to which a process belongs, and the place of its cluster table. Immutable.</summary>
/// <param name="Name">The cluster's name.</param>
/// <param name="StoreFolder">The folder of the file store; not used with Consul.</param>
/// <param name="ConsulAddress">The address of Consul; <c>null</c>: the file store is used.</param>
internal sealed record ClusterPlace(string Name, string? StoreFolder, Uri? ConsulAddress)
{
    /// <summary>The default name of the cluster.</summary>
    public const string NameDefault = "shop";

    /// <summary>The same settings as configuration, for a node process and for the client in this process.</summary>
    public IEnumerable<KeyValuePair<string, string?>> Settings =>
    [
        new($"{ClusterOptions.SectionName}:{nameof(ClusterOptions.Name)}", Name),
        ConsulAddress is { } consul
            ? new($"{ConsulOptions.SectionName}:{nameof(ConsulOptions.Address)}", consul.ToString())
            : new(ShopCluster.FolderKey, StoreFolder),
    ];
}
