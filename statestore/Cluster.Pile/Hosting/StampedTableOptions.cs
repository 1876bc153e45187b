namespace Cluster.Pile.Hosting;

/// <summary>What a <see cref="StampedTable"/> is. Immutable.</summary>
public sealed record StampedTableOptions
{
    /// <summary>The name, unique among the stamped tables of a pile.</summary>
    public required string Name { get; init; }

    /// <summary>How keys are encoded, in words of the owner. A pile with records of another form is refused.</summary>
    public required string KeyForm { get; init; }

    /// <summary>The seed of XxHash3, with which the owner hashes keys.</summary>
    public required ulong HashSeed { get; init; }

    /// <summary>How values are encoded, in words of the owner. A pile with records of another form is
    /// refused.</summary>
    public string ValueForm { get; init; } = "bytes";
}
