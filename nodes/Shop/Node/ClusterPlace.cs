namespace Shop.Node;

/// <summary>Which cluster a process belongs to and where its table is kept. Immutable.</summary>
/// <param name="Name">The cluster's name.</param>
/// <param name="StoreFolder">The folder of the file store; not used with Consul.</param>
/// <param name="ConsulAddress">Where Consul answers, or <c>null</c> for the file store.</param>
internal sealed record ClusterPlace(string Name, string? StoreFolder, Uri? ConsulAddress)
{
    /// <summary>The cluster's name unless another is given.</summary>
    public const string NameDefault = "shop";

    /// <summary>
    /// The environment variable that holds Consul's token, so that it appears in no list of processes.
    /// </summary>
    public const string ConsulTokenVariable = "CONSUL_HTTP_TOKEN";
}
