using Cluster.Benchmarks.Rivals;
using Cluster.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Benchmarks.Web;

/// <summary>A process with a node that keeps what ASP.NET Core remembers. Prints a line when it serves, and runs until
/// its standard input ends.</summary>
public static class WebNode
{
    /// <summary>The argument that starts this instead of a benchmark; folder and name of the node follow.</summary>
    public const string Argument = "--web-node";

    /// <summary>The cache whose values have no copy.</summary>
    public const string Plain = "plain";

    /// <summary>The cache whose values have one copy on another node.</summary>
    public const string Backed = "backed";

    /// <summary>Runs the node.</summary>
    /// <param name="folder">The folder of the cluster.</param>
    /// <param name="name">The name of the node.</param>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line.</param>
    public static Task<int> RunAsync(string folder, string name, TextReader input, TextWriter output) =>
        StateNode.ServeAsync(Build(folder, name, ClusterRole.Node), input, output);

    /// <summary>Builds a process of the cluster of three nodes: all of them with the same states.</summary>
    /// <param name="folder">The folder of the cluster.</param>
    /// <param name="name">The name of the process.</param>
    /// <param name="role">Node or client.</param>
    public static IHost Build(string folder, string name, ClusterRole role)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster(options =>
            {
                options.Name = "web";
                options.NodeName = name;
                options.Role = role;
                options.InitialNodeCount = StateNode.NodeCount;
                options.Backups = 0;
            })
            .UseFileStore(folder)
            .AddDistributedCache(Plain)
            .AddDistributedCache(Backed, static cache => cache.Backups = 1)
            .AddClusterSession()
            .AddClusterHybridCache();
        return builder.Build();
    }

    /// <summary>Builds the only node of a cluster: each key is its own.</summary>
    /// <param name="pileBudgetBytes">The native memory that it may use.</param>
    public static IHost BuildAlone(long pileBudgetBytes)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster(options => (options.Name, options.PileBudgetBytes) = ("web-alone", pileBudgetBytes))
            .UseInMemoryStore()
            .AddDistributedCache(Plain);
        return builder.Build();
    }
}
