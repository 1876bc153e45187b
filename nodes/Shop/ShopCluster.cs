using Cluster.Nodes.Consul;
using Cluster.Nodes.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Shop.Carts;

namespace Shop;

/// <summary>Registers the parts that every process of the shop needs, a node as well as a process that only calls: the
/// cluster store and the carts. Stateless.</summary>
public static class ShopCluster
{
    /// <summary>The configuration key of the folder with the cluster table. Not used with Consul.</summary>
    public const string FolderKey = "Shop:Folder";

    /// <summary>The configuration key that makes a node end when its parent process ends.</summary>
    public const string EndWithParentKey = "Shop:EndWithParent";

    /// <summary>The environment variable with Consul's token. A token on the command line would be visible in the list
    /// of processes.</summary>
    public const string ConsulTokenVariable = "CONSUL_HTTP_TOKEN";

    /// <summary>Adds the cluster to a host.</summary>
    /// <param name="builder">The host. Its configuration section <c>Cluster</c> describes this process.</param>
    /// <returns>The cluster. A node adds services to it, and a process that calls adds clients.</returns>
    public static ClusterBuilder Join(IHostApplicationBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var cluster = builder.AddCluster();
        if (builder.Configuration[$"{ConsulOptions.SectionName}:{nameof(ConsulOptions.Address)}"] is not null)
            cluster.UseConsul(static o => o.Token ??= Environment.GetEnvironmentVariable(ConsulTokenVariable));
        else if (builder.Configuration[FolderKey] is { } folder)
            cluster.UseFileStore(folder);

        builder.Services.AddSingleton<ICart, StateCart>();
        return cluster.AddState<string, Cart>(Cart.StateName);
    }
}
