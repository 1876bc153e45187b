// A program that calls the service. Another service does the same: as a node of the cluster, or as a client of it.
// Arguments: add <product> <count>, or take <product> <count>.
using System.Globalization;
using Cluster.Nodes;
using Cluster_Service.Contracts;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

if (args is not [var verb and ("add" or "take"), var product, var number, .. var settings]
    || !int.TryParse(number, CultureInfo.InvariantCulture, out var count))
{
    Console.Error.WriteLine("Expected: add <product> <count>, or: take <product> <count>.");
    return 64;
}

var builder = Host.CreateApplicationBuilder(settings);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.AddCluster(options =>
    {
        options.Name = StockCluster.Name;
        options.Role = ClusterRole.Client;                          // uses the cluster, and keeps nothing for it
    })
    .UseFileStore(builder.Configuration[StockCluster.FolderKey] ?? StockCluster.DefaultFolder)
    .AddClient<IStock>();                                           // calls go to a live node that offers it
using var host = builder.Build();
await host.StartAsync();

var stock = host.Services.GetRequiredService<IStock>();
var level = verb == "add" ? await stock.AddAsync(product, count) : await stock.TakeAsync(product, count);
Console.WriteLine(level is null ? $"There are not {count} of {product}." : $"{level.Product}: {level.Count}");

await host.StopAsync();
return level is null ? 1 : 0;
