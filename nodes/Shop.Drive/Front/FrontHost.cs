using Cluster.Glue;
using Cluster.Glue.Resilience;
using Cluster.Nodes;
using Microsoft.AspNetCore.HostFiltering;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Shop.Catalog;
using Shop.Drive.CommandLine;
using Shop.Drive.Supervision;
using Shop.Drive.Web;
using Shop.Orders;

namespace Shop.Drive.Front;

/// <summary>Builds the host of the front, with a client of the cluster and the server of the page. Stateless.</summary>
internal static class FrontHost
{
    private const string NodeName = "front";

    public static WebApplication Build(ShopOptions options, ClusterPlace place, PagePort port, FrontLog log)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());

        // The host would log a failed start with its stack trace. The code that catches the exception prints the
        // message.
        builder.Logging.SetMinimumLevel(LogLevel.Warning).AddFilter("Microsoft.Extensions.Hosting", LogLevel.None)
            .AddProvider(log);
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel => kestrel.Listen(port.EndPoint));
        builder.Services.Configure<SocketTransportOptions>(sockets => sockets.CreateBoundListenSocket = endpoint =>
            endpoint.Equals(port.EndPoint)
                ? port.Listener
                : SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint));
        builder.Services.AddRouting();
        builder.Services.Configure<HostFilteringOptions>(
            static filter => filter.AllowedHosts = [.. ShopPage.HostsAllowed]);
        builder.Services.AddSingleton<IHostLifetime, PassiveLifetime>();
        builder.Configuration.AddEnvironmentVariables().AddInMemoryCollection(place.Settings);
        builder.Services.Configure<ClusterOptions>(cluster =>
        {
            cluster.NodeName = NodeName;
            cluster.Role = ClusterRole.Client;
            cluster.InitialNodeCount = options.NodeCount;
        });
        ShopCluster.Join(builder).AddClient<ICatalog>(AskAnotherNode).AddClient<IOrders>();
        var app = builder.Build();
        app.UseHostFiltering();
        return app;
    }

    // A paused node answers nobody. A question that changes nothing goes to another node after a second.
    private static void AskAnotherNode(GlueProxyOptions proxy) => proxy.Resilience = new GlueResilienceOptions
    {
        Hedging = new GlueHedgingOptions { Delay = TimeSpan.FromSeconds(1) },
    };
}
