using System.CommandLine;
using System.Globalization;

namespace Shop.Node;

/// <summary>
/// The hidden command line by which the front starts a node process: written and read in this one place. Immutable.
/// </summary>
internal sealed class NodeCommand
{
    /// <summary>The first argument of a node process.</summary>
    public const string Word = "node";

    private readonly Option<string> _name = new("--name") { Required = true };
    private readonly Option<string> _cluster = new("--cluster") { Required = true };
    private readonly Option<string?> _folder = new("--folder");
    private readonly Option<string?> _consul = new("--consul");
    private readonly Option<int> _initialNodes = new("--initial-nodes") { Required = true };
    private readonly Option<bool> _bootstrap = new("--bootstrap");

    /// <summary>Builds the command.</summary>
    /// <param name="run">Runs a node and answers its exit code.</param>
    public NodeCommand(Func<NodeSettings, Task<int>> run)
    {
        Command = new Command(Word) { _name, _cluster, _folder, _consul, _initialNodes, _bootstrap };
        Command.Hidden = true;
        Command.SetAction(parsed => run(Read(parsed)));
    }

    public Command Command { get; }

    /// <summary>The arguments that start a node with these settings.</summary>
    public static IReadOnlyList<string> ArgumentsFor(NodeSettings settings)
    {
        var count = settings.InitialNodeCount.ToString(CultureInfo.InvariantCulture);
        List<string> arguments =
            [Word, "--name", settings.Name, "--cluster", settings.Cluster.Name, "--initial-nodes", count];
        if (settings.Cluster.StoreFolder is { } folder)
            arguments.AddRange(["--folder", folder]);

        if (settings.Cluster.ConsulAddress is { } consul)
            arguments.AddRange(["--consul", consul.ToString()]);

        if (settings.CanBootstrap)
            arguments.Add("--bootstrap");

        return arguments;
    }

    private NodeSettings Read(ParseResult parsed) => new(
        parsed.GetRequiredValue(_name),
        new ClusterPlace(
            parsed.GetRequiredValue(_cluster),
            parsed.GetValue(_folder),
            parsed.GetValue(_consul) is { } address ? new Uri(address) : null),
        parsed.GetRequiredValue(_initialNodes),
        parsed.GetValue(_bootstrap));
}
