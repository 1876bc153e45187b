// A node of the service. Start as many as you like: they share the state, and calls go to any of them.
using Cluster.Glue;
using Cluster_Service.Contracts;
using Cluster_Service.Node;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.AddCluster(options => options.Name = StockCluster.Name)
    .UseFileStore(builder.Configuration[StockCluster.FolderKey] ?? StockCluster.DefaultFolder)
    .AddState<string, Shelf>("shelves")                             // spread over all nodes, one copy of each value
    .AddService<IStock, Stock>(GlueInstanceMode.Singleton);         // other processes call it by its interface

await builder.Build().RunAsync();
