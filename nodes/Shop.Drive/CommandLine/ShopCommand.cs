using System.CommandLine;
using Shop.Drive.Load;
using Shop.Drive.Supervision;

namespace Shop.Drive.CommandLine;

/// <summary>The command line of the front: its options and their descriptions. Values stay text here, so that
/// <see cref="ShopOptionsReader"/> can report all wrong values together. Immutable.</summary>
internal sealed class ShopCommand
{
    public ShopCommand() =>
        Root = new RootCommand("Starts a small cluster on this machine, shows it and keeps it busy.")
        {
            Headless, Json, Seconds, KillAfter, Nodes, Consul, Name, Data, Port, Callers, Sessions,
        };

    public RootCommand Root { get; }

    public Option<bool> Headless { get; } = new("--headless")
    {
        Description = "Draw nothing and read no keys, even in a terminal.",
    };

    public Option<bool> Json { get; } = new("--json")
    {
        Description = "End with the summary as one line of JSON, the only thing on standard output. Needs --headless.",
    };

    public Option<string?> Seconds { get; } = new("--seconds")
    {
        Description = "How long the load runs. Default: until q is pressed in a terminal, 30 elsewhere.",
        HelpName = "N",
    };

    public Option<string?> KillAfter { get; } = new("--kill-after")
    {
        Description = "Kill one node this number of seconds after the load has begun.",
        HelpName = "S",
    };

    public Option<string?> Nodes { get; } = new("--nodes")
    {
        Description = $"How many nodes to start, at most {ShopOptions.NodeCountMax}. "
            + $"Default: {ShopOptions.NodeCountDefault}.",
        HelpName = "N",
    };

    public Option<string?> Consul { get; } = new("--consul")
    {
        Description = "Keep the cluster's table in the Consul at this address instead of in a folder. "
            + $"Its token is taken from the environment variable {ShopCluster.ConsulTokenVariable}.",
        HelpName = "ADDRESS",
    };

    public Option<string?> Name { get; } = new("--name")
    {
        Description = $"The cluster's name. Default: {ClusterPlace.NameDefault}.",
        HelpName = "NAME",
    };

    public Option<string?> Data { get; } = new("--data")
    {
        Description = "Keep the cluster's table in this folder. Default: a new one that is deleted at the end.",
        HelpName = "FOLDER",
    };

    public Option<string?> Port { get; } = new("--port")
    {
        Description = $"The port of the web page. Default: {ShopOptions.PortDefault}, or a free one if that is taken.",
        HelpName = "N",
    };

    public Option<string?> Callers { get; } = new("--callers")
    {
        Description = $"How many callers call at once. Default: {LoadPlan.CallerCountDefault}.",
        HelpName = "N",
    };

    public Option<string?> Sessions { get; } = new("--sessions")
    {
        Description = $"How many sessions the callers keep open together. Default: {LoadPlan.SessionCountDefault}.",
        HelpName = "N",
    };
}
