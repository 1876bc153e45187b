using Cluster.Nodes;
using Cluster.Nodes.Consul;
using Shop.Carts;

namespace Shop.Node;

/// <summary>What nodes and front have in common in the cluster: its place and its states. Stateless.</summary>
internal static class ShopCluster
{
    public static ClusterBuilder Join(
        IHostApplicationBuilder builder, ClusterPlace place, Action<ClusterOptions> configure)
    {
        // As in other services: Cluster__StartTimeout and the like set what the sample does not set itself.
        builder.Configuration.AddEnvironmentVariables();
        var cluster = builder.AddCluster(options =>
        {
            options.Name = place.Name;
            configure(options);
        });
        if (place.ConsulAddress is { } consul)
        {
            builder.Services.Configure<ClusterOptions>(static options => options.Secret ??= RunSecret.Value);
            cluster.UseConsul(options =>
            {
                options.Address = consul.ToString();
                options.Token = Environment.GetEnvironmentVariable(ClusterPlace.ConsulTokenVariable);
            });
        }
        else
        {
            cluster.UseFileStore(place.StoreFolder!);
        }

        return cluster.AddState<string, Cart>(StateCart.StateName);
    }
}
