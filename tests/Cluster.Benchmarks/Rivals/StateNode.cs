using Cluster.Nodes;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A process with a node of a cluster whose table lies in a folder. Prints a line when it serves, and runs
/// until its standard input ends.</summary>
public static class StateNode
{
    /// <summary>The argument that starts this instead of a benchmark; folder and name of the node follow.</summary>
    public const string Argument = "--state-node";

    /// <summary>How many nodes the cluster has.</summary>
    public const int NodeCount = 3;

    /// <summary>The state of values that stay.</summary>
    public const string Values = "values";

    /// <summary>The state of values that go away some time after they were read last.</summary>
    public const string Sessions = "sessions";

    /// <summary>How long an unread value of <see cref="Sessions"/> stays.</summary>
    public static readonly TimeSpan Window = TimeSpan.FromMinutes(20);

    /// <summary>Runs the node.</summary>
    /// <param name="folder">The folder of the cluster.</param>
    /// <param name="name">The name of the node.</param>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line.</param>
    public static Task<int> RunAsync(string folder, string name, TextReader input, TextWriter output) =>
        ServeAsync(Build(folder, name, ClusterRole.Node), input, output);

    /// <summary>Runs a node until its parent ends.</summary>
    /// <param name="host">The node.</param>
    /// <param name="input">Ends with the parent.</param>
    /// <param name="output">Gets one line when the node serves.</param>
    public static async Task<int> ServeAsync(IHost host, TextReader input, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        await host.StartAsync();
        await output.WriteLineAsync("serves");
        await output.FlushAsync();
        await input.ReadToEndAsync();

        // Not stopped: a stopping node would hand its partitions to the next one, until the last one finds nobody.
        return 0;
    }

    /// <summary>Builds a process of the cluster: all of them with the same states.</summary>
    /// <param name="folder">The folder of the cluster.</param>
    /// <param name="name">The name of the process.</param>
    /// <param name="role">Node or client.</param>
    public static IHost Build(string folder, string name, ClusterRole role)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster(options =>
            {
                options.Name = "rivals";
                options.NodeName = name;
                options.Role = role;
                options.InitialNodeCount = NodeCount;
                options.Backups = 0;
            })
            .UseFileStore(folder)
            .AddState<string, byte[]>(Values)
            .AddState<string, byte[]>(Sessions, state => state.DefaultExpiry = StateExpiry.Sliding(Window));
        return builder.Build();
    }
}
