// One node of the shop. Environment variables and arguments configure it, as in any .NET service:
// dotnet Shop.dll --Cluster:NodeName=n1 --Cluster:InitialNodeCount=3 --Shop:Folder=/var/lib/shop
using Cluster.Glue;
using Cluster.Nodes;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Shop;
using Shop.Catalog;
using Shop.Orders;

var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
builder.Configuration.AddEnvironmentVariables().AddCommandLine(args);

// The host would log a failed start with its stack trace. The message alone is printed below.
builder.Logging.SetMinimumLevel(LogLevel.Warning).AddFilter("Microsoft.Extensions.Hosting", LogLevel.None)
    .AddConsole(static console => console.LogToStandardErrorThreshold = LogLevel.Trace);

builder.Services.AddSingleton(PackageCatalog.LoadEmbedded()).AddSingleton(static provider =>
    new NodeName(provider.GetRequiredService<IOptions<ClusterOptions>>().Value.NodeName ?? Environment.MachineName));
ShopCluster.Join(builder)
    .AddService<ICatalog, CatalogService>(GlueInstanceMode.Singleton)
    .AddService<IOrders, OrderService>(GlueInstanceMode.Singleton);
if (builder.Configuration.GetValue<bool>(ShopCluster.EndWithParentKey))
    builder.Services.AddSingleton<IHostLifetime>(ParentLifetime.OfThisProcess);

try
{
    await builder.Build().RunAsync();
}
catch (ClusterStartException failure)
{
#pragma warning disable RS0030 // A program prints why it ends.
    await Console.Error.WriteLineAsync(failure.Message);
#pragma warning restore RS0030
    return (int)failure.ExitCode;
}
catch (OperationCanceledException)
{
    // The node was stopped before it had joined the cluster.
}

// The cluster has set the exit code of a node that was expelled or could not hand over everything.
return Environment.ExitCode;
