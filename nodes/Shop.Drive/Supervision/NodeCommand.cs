using Cluster.Nodes;
using Shop.Carts;

namespace Shop.Drive.Supervision;

/// <summary>Builds the command that starts the shop's program as a node process of this run. Stateless.</summary>
internal static class NodeCommand
{
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromMilliseconds(500);

    /// <summary>The command that starts a node.</summary>
    /// <param name="name">The node's name.</param>
    /// <param name="place">The cluster.</param>
    /// <param name="nodeCount">The number of nodes for which the cluster waits before it assigns partitions.</param>
    /// <param name="canBootstrap">Whether the node may create the cluster in Consul.</param>
    public static ProcessStartInfo For(string name, ClusterPlace place, int nodeCount, bool canBootstrap)
    {
        // Under `dotnet Shop.Drive.dll` the running program is the .NET runtime, and the assembly is its first
        // argument.
        var assembly = typeof(ICart).Assembly.Location;
        var running = Environment.ProcessPath ?? "";
        var isRuntime = Path.GetFileNameWithoutExtension(running).Equals("dotnet", StringComparison.OrdinalIgnoreCase);
        var arguments = ArgumentsFor(name, place, nodeCount, canBootstrap);
        return isRuntime
            ? new ProcessStartInfo(running, ["exec", assembly, .. arguments]) { UseShellExecute = false }
            : new ProcessStartInfo(ProgramOf(assembly), arguments) { UseShellExecute = false };
    }

    /// <summary>The arguments of a node. The node's program reads them as configuration.</summary>
    public static IEnumerable<string> ArgumentsFor(string name, ClusterPlace place, int nodeCount, bool canBootstrap)
    {
        IEnumerable<KeyValuePair<string, string?>> settings =
        [
            .. place.Settings,
            Option(nameof(ClusterOptions.NodeName), name),
            Option(nameof(ClusterOptions.InitialNodeCount), nodeCount.ToString(CultureInfo.InvariantCulture)),
            Option(nameof(ClusterOptions.Bootstrap), canBootstrap ? "true" : "false"),
            Option(nameof(ClusterOptions.DrainTimeout), DrainTimeout.ToString("c", CultureInfo.InvariantCulture)),
            new(ShopCluster.EndWithParentKey, "true"),
        ];
        return settings.Select(static setting => $"--{setting.Key}={setting.Value}");
    }

    private static KeyValuePair<string, string?> Option(string name, string value) =>
        new($"{ClusterOptions.SectionName}:{name}", value);

    private static string ProgramOf(string assembly) =>
        Path.ChangeExtension(assembly, OperatingSystem.IsWindows() ? "exe" : null);
}
