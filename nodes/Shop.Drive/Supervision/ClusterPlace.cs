using Cluster.Nodes;
using Cluster.Nodes.Consul;

namespace Shop.Drive.Supervision;

/// <summary>Which cluster a process belongs to and where its table is kept. Immutable.</summary>
/// <param name="Name">The cluster's name.</param>
/// <param name="StoreFolder">The folder of the file store; not used with Consul.</param>
/// <param name="ConsulAddress">Where Consul answers, or <c>null</c> for the file store.</param>
internal sealed record ClusterPlace(string Name, string? StoreFolder, Uri? ConsulAddress)
{
    /// <summary>The cluster's name unless another is given.</summary>
    public const string NameDefault = "shop";

    /// <summary>The place as configuration, for a node process and for the client in this process.</summary>
    public IEnumerable<KeyValuePair<string, string?>> Settings =>
    [
        new($"{ClusterOptions.SectionName}:{nameof(ClusterOptions.Name)}", Name),
        ConsulAddress is { } consul
            ? new($"{ConsulOptions.SectionName}:{nameof(ConsulOptions.Address)}", consul.ToString())
            : new(ShopCluster.FolderKey, StoreFolder),
    ];
}
