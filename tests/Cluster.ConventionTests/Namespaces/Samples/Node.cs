using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Makes a node with a state.</summary>
internal static class Node
{
    public static IHost Build(string[] args)
    {
        var builder = Host.CreateApplicationBuilder(args);
        builder.AddCluster(options => options.Name = "shop").UseInMemoryStore().AddState<string, string>("notes");
        return builder.Build();
    }
}
