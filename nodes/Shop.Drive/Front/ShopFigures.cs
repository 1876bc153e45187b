namespace Shop.Drive.Front;

/// <summary>Everything that a view shows, at one moment. Frozen; the next moment brings a new one.</summary>
internal sealed record ShopFigures
{
    /// <summary>What the run is doing, in words.</summary>
    public required string Phase { get; init; }

    /// <summary>How long the load has been measured.</summary>
    public required double Seconds { get; init; }

    /// <summary>The nodes, in the order of their names.</summary>
    public required ImmutableArray<NodeFigures> Nodes { get; init; }

    /// <summary>For each partition the index of its owner in <see cref="Nodes"/>, or -1.</summary>
    public required ImmutableArray<int> PartitionOwners { get; init; }

    /// <summary>Calls answered in the last second.</summary>
    public required double CallsPerSecond { get; init; }

    /// <summary>Half of the calls of the last second took at most so long.</summary>
    public required double P50Ms { get; init; }

    /// <summary>99 of 100 calls of the last second took at most so long.</summary>
    public required double P99Ms { get; init; }

    /// <summary>Calls answered.</summary>
    public required long Calls { get; init; }

    /// <summary>Calls that should have been answered and were not, or wrongly.</summary>
    public required long Errors { get; init; }

    /// <summary>Calls whose owner was gone or had just died.</summary>
    public required long Unavailable { get; init; }

    /// <summary>Open sessions.</summary>
    public required int Sessions { get; init; }

    /// <summary>Sessions that were lost with the partitions that held their carts.</summary>
    public required int SessionsLost { get; init; }

    /// <summary>Native memory that all carts take.</summary>
    public required long PileBytes { get; init; }

    /// <summary>The longest pause of any node's garbage collector.</summary>
    public required double GcPauseMaxMs { get; init; }

    /// <summary>How many nodes have been killed.</summary>
    public required int Killed { get; init; }

    /// <summary>What happened last in the cluster, the newest first.</summary>
    public required ImmutableArray<string> Events { get; init; }
}
