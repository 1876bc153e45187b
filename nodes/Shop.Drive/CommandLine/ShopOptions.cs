namespace Shop.Drive.CommandLine;

/// <summary>The options from the command line, checked together. Immutable.</summary>
internal sealed record ShopOptions
{
    public const int NodeCountDefault = 3;
    public const int NodeCountMax = 16;
    public const int PortDefault = 5_100;

    /// <summary>The default duration of the load if no user can press a key.</summary>
    public static readonly TimeSpan DurationDefault = TimeSpan.FromSeconds(30);

    /// <summary>Whether nothing is drawn and no key is read, even in a terminal.</summary>
    public required bool IsHeadless { get; init; }

    /// <summary>Whether the summary is one line of JSON. Nothing else is then written to standard output.</summary>
    public required bool IsJson { get; init; }

    /// <summary>The duration of the load; <c>null</c>: until the user presses q in a terminal, otherwise
    /// <see cref="DurationDefault"/>.</summary>
    public required TimeSpan? Duration { get; init; }

    /// <summary>The time from the start of the load until one node is killed; <c>null</c>: none is killed.</summary>
    public required TimeSpan? KillAfter { get; init; }

    public required int NodeCount { get; init; }

    /// <summary>The address of Consul; <c>null</c>: the file store is used.</summary>
    public required Uri? ConsulAddress { get; init; }

    public required string ClusterName { get; init; }

    /// <summary>The folder of the file store; <c>null</c>: a new folder, which is deleted at the end.</summary>
    public required string? DataFolder { get; init; }

    /// <summary>The port of the page; <c>null</c>: the default port, or a free one if the default port is in
    /// use.</summary>
    public required int? Port { get; init; }

    public required int CallerCount { get; init; }

    /// <summary>The number of sessions that the load keeps open.</summary>
    public required int SessionCount { get; init; }
}
