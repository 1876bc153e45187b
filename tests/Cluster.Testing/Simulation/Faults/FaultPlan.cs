namespace Cluster.Testing.Simulation.Faults;

/// <summary>The faults of one run, drawn from its seed: at least three, and at least one begins while another lasts.
/// Immutable.</summary>
/// <param name="Faults">The faults, ordered by their start.</param>
public sealed record FaultPlan(ImmutableArray<PlannedFault> Faults)
{
    private const int FaultCountMin = 3;
    private const int FaultCountMax = 7;
    private const int CrashCountMin = 3;
    private const int CrashCountMax = 6;

    private static readonly TimeSpan StartMin = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan StartMax = TimeSpan.FromSeconds(28);

    // All nodes are back by then, and have restored what they can.
    private static readonly TimeSpan ClusterCrashPause = TimeSpan.FromSeconds(40);

    private static readonly (FaultKind Kind, int Weight, double Shortest, double Longest)[] Weights =
    [
        (FaultKind.Delay, 5, 2, 15),
        (FaultKind.Loss, 5, 2, 15),
        (FaultKind.Duplication, 4, 2, 15),
        (FaultKind.Reordering, 4, 2, 15),
        (FaultKind.OneWayCut, 8, 1, 12),
        (FaultKind.Flapping, 4, 4, 15),
        (FaultKind.Split, 6, 2, 12),
        (FaultKind.Isolation, 7, 2, 12),
        (FaultKind.PeerIsolation, 6, 2, 12),
        (FaultKind.Stall, 9, 7.5, 10),
        (FaultKind.ReplyLoss, 6, 4, 15),
        (FaultKind.StoreIsolation, 5, 2, 15),
        (FaultKind.Pause, 12, 0.2, 11),
        (FaultKind.Crash, 14, 0.2, 10),
        (FaultKind.DoubleCrash, 3, 1, 8),
        (FaultKind.SourceCrash, 6, 3, 9),
        (FaultKind.StoreOutage, 6, 1, 15),
        (FaultKind.StaleReads, 5, 3, 15),
        (FaultKind.UnknownOutcomes, 8, 3, 15),
        (FaultKind.SilentStore, 5, 3, 15),
        (FaultKind.ForeignStore, 3, 1, 6),
        (FaultKind.WallJump, 6, 0, 0),
        (FaultKind.Join, 6, 0, 0),
        (FaultKind.Drain, 7, 8, 15),
        (FaultKind.RollingRestart, 3, 0, 0),
    ];

    /// <summary>A plan without faults.</summary>
    public static FaultPlan None { get; } = new([]);

    /// <summary>Draws a plan.</summary>
    /// <param name="random">The source of chance.</param>
    public static FaultPlan Draw(SimulationRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        var faults = new List<PlannedFault>();
        while (faults.Count < FaultCountMin)
            faults.Add(DrawFault(random));
        while (faults.Count < FaultCountMax && random.Chance(600_000))
            faults.Add(DrawFault(random));
        if (!HasOverlap(faults))
            faults[^1] = DrawOverlapping(random, faults);
        return new FaultPlan([.. faults.OrderBy(fault => fault.Start)]);
    }

    /// <summary>Draws a plan with more crashes of single nodes than <see cref="Draw"/>. Each node starts again within
    /// eight seconds.</summary>
    /// <param name="random">The source of chance.</param>
    public static FaultPlan DrawCrashes(SimulationRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        var crashes = Enumerable.Range(0, random.Between(CrashCountMin, CrashCountMax)).Select(_ => new PlannedFault(
            FaultKind.Crash,
            random.Between(StartMin, StartMax),
            random.Between(TimeSpan.FromSeconds(0.2), TimeSpan.FromSeconds(8))));
        return new FaultPlan([.. Draw(random).Faults.Concat(crashes).OrderBy(fault => fault.Start)]);
    }

    /// <summary>Draws a plan in which all nodes crash, once or twice, and nothing else happens.</summary>
    /// <param name="random">The source of chance.</param>
    public static FaultPlan DrawClusterCrash(SimulationRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        var faults = Enumerable.Range(0, random.Between(1, 2)).Select(index => new PlannedFault(
            FaultKind.ClusterCrash,
            StartMin + (index * ClusterCrashPause) + random.Between(TimeSpan.Zero, StartMax - StartMin),
            TimeSpan.Zero));
        return new FaultPlan([.. faults]);
    }

    /// <inheritdoc />
    public override string ToString() => string.Join(", ", Faults);

    private static bool HasOverlap(List<PlannedFault> faults) => faults.Exists(fault =>
        faults.Exists(other => other != fault && other.Start >= fault.Start && other.Start < fault.End));

    // Replaces the last fault by one that begins while a longer fault lasts. Faults without a length cannot last.
    private static PlannedFault DrawOverlapping(SimulationRandom random, List<PlannedFault> faults)
    {
        var longest = faults.Take(faults.Count - 1).MaxBy(fault => fault.Duration)!;
        if (longest.Duration == TimeSpan.Zero)
        {
            var pause = random.Between(TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(8));
            longest = faults[0] = new PlannedFault(FaultKind.Pause, longest.Start, pause);
        }

        return DrawFault(random) with { Start = random.Between(longest.Start, longest.End) };
    }

    private static PlannedFault DrawFault(SimulationRandom random)
    {
        var drawn = random.Next(Weights.Sum(entry => entry.Weight));
        var index = 0;
        while (drawn >= Weights[index].Weight)
            drawn -= Weights[index++].Weight;
        var (kind, _, shortest, longest) = Weights[index];
        return new PlannedFault(
            kind,
            random.Between(StartMin, StartMax),
            random.Between(TimeSpan.FromSeconds(shortest), TimeSpan.FromSeconds(longest)));
    }
}
