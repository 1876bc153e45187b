namespace Shop.Drive.Front;

/// <summary>All figures that a view shows, taken at one moment. Frozen; each sample creates a new object.</summary>
internal sealed record ShopFigures
{
    /// <summary>The current phase of the run, in words.</summary>
    public required string Phase { get; init; }

    public required double Seconds { get; init; }

    /// <summary>The nodes, in the order of their first start.</summary>
    public required ImmutableArray<NodeFigures> Nodes { get; init; }

    /// <summary>For each partition the index of its owner in <see cref="Nodes"/>, or -1.</summary>
    public required ImmutableArray<int> PartitionOwners { get; init; }

    /// <summary>Calls answered in the last second.</summary>
    public required double CallsPerSecond { get; init; }

    /// <summary>The median latency of the last second's calls.</summary>
    public required double P50Ms { get; init; }

    /// <summary>The 99th percentile of the latency of the last second's calls.</summary>
    public required double P99Ms { get; init; }

    /// <summary>Correctly answered calls.</summary>
    public required long Calls { get; init; }

    /// <summary>Calls that failed or got a wrong answer although their owner was alive.</summary>
    public required long Errors { get; init; }

    /// <summary>Calls whose owner was gone or had just died.</summary>
    public required long Unavailable { get; init; }

    public required int Sessions { get; init; }

    /// <summary>Sessions that were lost with the partitions that held their carts.</summary>
    public required int SessionsLost { get; init; }

    /// <summary>Native memory that all carts take.</summary>
    public required long PileBytes { get; init; }

    public required double GcPauseMaxMs { get; init; }

    public required int Killed { get; init; }

    /// <summary>The last events of the cluster, the newest first.</summary>
    public required ImmutableArray<string> Events { get; init; }
}
