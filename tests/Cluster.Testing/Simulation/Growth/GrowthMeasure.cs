namespace Cluster.Testing.Simulation.Growth;

/// <summary>What one change of a large cluster has cost. Immutable.</summary>
/// <param name="Change">What happened.</param>
/// <param name="Nodes">The nodes before.</param>
/// <param name="Partitions">The partitions.</param>
public sealed record GrowthMeasure(string Change, int Nodes, int Partitions)
{
    /// <summary>From the change until every partition has its copies and every node knows the table.</summary>
    public TimeSpan Converged { get; init; }

    /// <summary>Versions of the table.</summary>
    public long Writes { get; init; }

    /// <summary>Proposals that another one overtook.</summary>
    public long Conflicts { get; init; }

    /// <summary>Partitions that were copied.</summary>
    public long Copies { get; init; }

    /// <summary>The fewest partitions that have to be copied.</summary>
    public double IdealCopies { get; init; }

    /// <summary>Partitions both of whose copies have ended without proof, which wait for an operator.</summary>
    public int Stranded { get; init; }

    /// <summary>Whole tables that were read from the store.</summary>
    public long WholeReads { get; init; }

    /// <summary>Bytes of deltas a second of the mean node, sent and received.</summary>
    public double DeltaRate { get; init; }

    /// <summary>Bytes of beacons a second of the mean node, sent and received.</summary>
    public double BeaconRate { get; init; }

    /// <summary>Bytes between the mean node and the store a second.</summary>
    public double StoreRate { get; init; }

    /// <summary>Bytes of wishes and questions a second of the mean node, sent and received.</summary>
    public double ProposalRate { get; init; }

    /// <summary>The bytes a second of the node with the most, without those between it and the store: mostly the
    /// coordinator, which also writes the tables.</summary>
    public double MostPeerRate { get; init; }

    /// <summary>All bytes a second of the mean node.</summary>
    public double MeanRate { get; init; }

    /// <summary>All bytes a second of the node with the most, which is mostly the coordinator.</summary>
    public double MostRate { get; init; }

    /// <summary>Bytes of the whole table.</summary>
    public int TableBytes { get; init; }

    /// <summary>The heads of the columns of <see cref="ToString"/>.</summary>
    public const string Head =
        "| change | nodes | partitions | table KB | converged s | writes | conflicts | copies / ideal | stranded "
        + "| whole reads | beacons B/s | wishes B/s | deltas B/s | store B/s | mean node KB/s "
        + "| busiest, without store KB/s | busiest KB/s |";

    /// <inheritdoc />
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"| {Change} | {Nodes:N0} | {Partitions:N0} | {TableBytes / 1024.0:N0} | {Converged.TotalSeconds:N1} "
        + $"| {Writes} | {Conflicts} | {Copies:N0} / {IdealCopies:N0} | {Stranded} | {WholeReads:N0} "
        + $"| {BeaconRate:N0} | {ProposalRate:N0} | {DeltaRate:N0} | {StoreRate:N0} "
        + $"| {MeanRate / 1024:N1} | {MostPeerRate / 1024:N1} | {MostRate / 1024:N1} |");
}
