using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Network;

namespace Cluster.Testing.Simulation;

/// <summary>The size and the modes of one simulated run, drawn from its seed. Immutable.</summary>
public sealed record SimulationSettings
{
    /// <summary>The most nodes that a run can have.</summary>
    public const int NodeCountMax = 9;

    /// <summary>The nodes that start at the beginning.</summary>
    public int NodeCount { get; init; } = 3;

    /// <summary>The machines that stay empty until a fault starts a node there.</summary>
    public int SpareCount { get; init; }

    /// <summary>The partitions of the table.</summary>
    public int PartitionCount { get; init; } = 4;

    /// <summary>The backups of each partition.</summary>
    public int Backups { get; init; } = 1;

    /// <summary>The clients.</summary>
    public int ClientCount { get; init; } = 4;

    /// <summary>The operations of each client.</summary>
    public int OperationsPerClient { get; init; } = 60;

    /// <summary>The mean time between two operations of one client.</summary>
    public TimeSpan ClientPace { get; init; } = TimeSpan.FromSeconds(0.7);

    /// <summary>How far the rate of a clock may be from true time, in parts of a million.</summary>
    public int RateSpread { get; init; } = 200_000;

    /// <summary>Whether nodes learn for certain that a life has ended, as processes on one machine do.</summary>
    public bool IsSameKernel { get; init; }

    /// <summary>What every link does to its messages as long as no fault disturbs it.</summary>
    public LinkQuality Link { get; init; } = LinkQuality.Lan;

    /// <summary>How new the answers to reads must be.</summary>
    public ReadMode Reads { get; init; }

    /// <summary>How long a run lasts at least.</summary>
    public TimeSpan DurationMin { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long nothing disturbs the cluster at the end of a run.</summary>
    public TimeSpan QuietTime { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>Draws the settings of a run.</summary>
    /// <param name="random">The source of chance.</param>
    public static SimulationSettings Draw(SimulationRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        var nodes = random.Between(3, NodeCountMax - 1);
        var clients = random.Between(3, 8);
        var operations = random.Between(240, 480) / clients;
        return new SimulationSettings
        {
            NodeCount = nodes,
            SpareCount = random.Between(1, NodeCountMax - nodes),
            PartitionCount = random.Pick(PartitionCounts),
            Backups = random.Pick(BackupCounts),
            ClientCount = clients,
            OperationsPerClient = operations,
            ClientPace = BusyTime / operations,
            RateSpread = random.Pick(RateSpreads),
            IsSameKernel = random.Chance(400_000),
            Link = random.Pick(Links),
        };
    }

    /// <inheritdoc />
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{NodeCount}+{SpareCount} nodes, {PartitionCount} partitions, {Backups} backups, {ClientCount} clients, "
            + $"{ClientCount * OperationsPerClient} operations, rates ±{RateSpread / 10_000} %, "
            + $"{(IsSameKernel ? "same kernel" : "many kernels")}");

    // As long as faults begin and last.
    private static readonly TimeSpan BusyTime = TimeSpan.FromSeconds(45);

    private static readonly int[] PartitionCounts = [4, 8, 16];

    // Mostly one and two.
    private static readonly int[] BackupCounts = [0, 1, 1, 1, 1, 2, 2, 2];

    private static readonly int[] RateSpreads = [0, 50_000, 200_000, 200_000];

    private static readonly LinkQuality[] Links =
    [
        LinkQuality.Lan,
        LinkQuality.Lan,
        new LinkQuality { DelayMin = TimeSpan.FromMilliseconds(0.5), DelayMax = TimeSpan.FromMilliseconds(5) },
        new LinkQuality { LossChance = 500, DuplicationChance = 500, ReorderingChance = 5_000 },
    ];
}
