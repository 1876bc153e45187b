using Cluster.Nodes;
using Cluster.StateStore;
using Shop.Carts;
using Shop.Catalog;
using Shop.CommandLine;
using Shop.Load;
using Shop.Orders;

namespace Shop.Front;

/// <summary>Puts the load together from what the front's host offers. Stateless.</summary>
internal static class ShopLoad
{
    private const int Seed = 20_261_121;

    public static LoadGenerator Compose(
        IServiceProvider services, ShopOptions options, IClusterWatch watch, TimeProvider time)
    {
        var cluster = services.GetRequiredService<ICluster>();
        var names = PackageRowReader.ReadEmbedded().ConvertAll(static row => row.Name);
        return new LoadGenerator(
            new LoadContext(watch, names, cluster.Self, time),
            new LoadPlan(options.CallerCount, options.SessionCount, Seed),
            services.GetRequiredService<ICatalog>(),
            new StateCart(services.GetRequiredService<IPartitionedState<string, Cart>>()),
            services.GetRequiredService<IOrders>());
    }
}
