// Plain gRPC services in a cluster: a client finds them by the name of the service, follows the nodes that come and go,
// and needs no address.
//
//   dotnet run --project nodes/Samples/GrpcDiscovery -- serve one
//   dotnet run --project nodes/Samples/GrpcDiscovery -- serve two
//   dotnet run --project nodes/Samples/GrpcDiscovery -- call
using Cluster.Nodes;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;
using GrpcDiscovery;
using GrpcDiscovery.Generated;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var builder = Host.CreateApplicationBuilder();
var folder = builder.Configuration["Samples:Folder"]
    ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "GrpcDiscovery");
if (args is ["serve", var name])
    await ServeAsync(name);
else if (args is ["call"])
    await CallAsync();
else
    Console.WriteLine("Say 'serve NAME' or 'call'.");

async Task ServeAsync(string node)
{
    builder.AddCluster(options => (options.Name, options.NodeName) = ("grpc-discovery", node))
        .UseFileStore(folder)
        .AddGrpcService<GreeterService>(Greeter.Descriptor.FullName);
    using var host = builder.Build();
    await host.StartAsync();
    Console.WriteLine($"{node} serves.");
    await host.WaitForShutdownAsync();
}

async Task CallAsync()
{
    builder.AddCluster(options => (options.Name, options.Role) = ("grpc-discovery", ClusterRole.Client))
        .UseFileStore(folder);
    using var host = builder.Build();
    await host.StartAsync();
    using var channel = GrpcChannel.ForAddress($"cluster:///{Greeter.Descriptor.FullName}", new GrpcChannelOptions
    {
        Credentials = ChannelCredentials.Insecure,
        ServiceProvider = host.Services,
        ServiceConfig = new ServiceConfig { LoadBalancingConfigs = { new RoundRobinConfig() } },
    });
    var greeter = new Greeter.GreeterClient(channel);
    for (var call = 0; call < 10; call++)
        Console.WriteLine((await greeter.GreetAsync(new GreetRequest { Name = "world" })).Text);
    await host.StopAsync();
}
