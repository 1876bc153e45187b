namespace Shop.Drive.CommandLine;

/// <summary>What the user asked for on the command line, checked as a whole. Immutable.</summary>
internal sealed record ShopOptions
{
    public const int NodeCountDefault = 3;
    public const int NodeCountMax = 16;
    public const int PortDefault = 5_100;

    /// <summary>How long the load runs where nobody can press a key.</summary>
    public static readonly TimeSpan DurationDefault = TimeSpan.FromSeconds(30);

    /// <summary>Whether nothing is drawn and no key is read, even in a terminal.</summary>
    public required bool IsHeadless { get; init; }

    /// <summary>Whether the summary is one line of JSON, and the only thing on standard output.</summary>
    public required bool IsJson { get; init; }

    /// <summary>How long the load runs; <c>null</c> for the default of the way it runs.</summary>
    public required TimeSpan? Duration { get; init; }

    /// <summary>When one node is killed, counted from the start of the load.</summary>
    public required TimeSpan? KillAfter { get; init; }

    /// <summary>How many nodes are started.</summary>
    public required int NodeCount { get; init; }

    /// <summary>Where Consul answers, or <c>null</c> for the file store.</summary>
    public required Uri? ConsulAddress { get; init; }

    /// <summary>The cluster's name.</summary>
    public required string ClusterName { get; init; }

    /// <summary>The folder of the file store, or <c>null</c> for a new one that goes away at the end.</summary>
    public required string? DataFolder { get; init; }

    /// <summary>The port of the page, or <c>null</c> for the default one or any free one.</summary>
    public required int? Port { get; init; }

    /// <summary>How many callers the load has.</summary>
    public required int CallerCount { get; init; }

    /// <summary>How many sessions the load keeps open.</summary>
    public required int SessionCount { get; init; }
}
