using Cluster.Nodes;
using Shop.Carts;
using Shop.Catalog;
using Shop.Drive.CommandLine;
using Shop.Drive.Load;
using Shop.Orders;

namespace Shop.Drive.Front;

/// <summary>Creates the load from the services of the front's host. Stateless.</summary>
internal static class ShopLoad
{
    private const int Seed = 20_261_121;

    public static LoadGenerator Compose(
        IServiceProvider services, ShopOptions options, IClusterWatch watch, TimeProvider time)
    {
        var cluster = services.GetRequiredService<ICluster>();
        var names = PackageCatalog.ReadNames();
        return new LoadGenerator(
            new LoadContext(watch, names, cluster.Self, time),
            new LoadPlan(options.CallerCount, options.SessionCount, Seed),
            services.GetRequiredService<ICatalog>(),
            services.GetRequiredService<ICart>(),
            services.GetRequiredService<IOrders>());
    }
}
