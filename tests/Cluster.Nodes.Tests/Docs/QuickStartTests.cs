using Cluster.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Tests.Docs;

/// <summary>Runs the quick start of the README.</summary>
public sealed class QuickStartTests
{
    [Fact]
    public async Task QuickStart_AsPrinted_KeepsACart()
    {
        // <snippet:host>
        var builder = Host.CreateApplicationBuilder();
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()                             // or UseFileStore(folder), or UseConsul()
            .AddState<string, Cart>("carts")                // partitioned over the nodes, in native memory
            .AddService<IShopping, Shopping>(GlueInstanceMode.Singleton)
            .AddClient<IShopping>();                        // calls go to any live node that offers it
        using var host = builder.Build();
        await host.StartAsync();

        var shopping = host.Services.GetRequiredService<IShopping>();
        var cart = await shopping.PutAsideAsync("session-1", "tea");
        // </snippet:host>

        Assert.Equal(["tea"], cart.Lines);
        await host.StopAsync();
    }
}
