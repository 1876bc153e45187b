using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Faults;
using Cluster.Testing.Simulation.Invariants;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>The plans of faults and the sizes of runs, and the effect of each fault.</summary>
public sealed class FaultPlanTests
{
    private const int DrawCount = 2_000;
    private const int SeedCount = 4;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(8);

    [Fact]
    public void Plans_HaveThreeFaults_AndOneBeginsWhileAnotherLasts()
    {
        var random = new SimulationRandom(1);
        var kinds = new HashSet<FaultKind>();
        for (var draw = 0; draw < DrawCount; draw++)
        {
            var faults = FaultPlan.Draw(random).Faults;
            Assert.InRange(faults.Length, 3, 7);
            Assert.Equal(faults.OrderBy(fault => fault.Start), faults);
            Assert.Contains(faults, fault => faults.Any(other =>
                !ReferenceEquals(other, fault) && other.Start >= fault.Start && other.Start < fault.End));
            kinds.UnionWith(faults.Select(fault => fault.Kind));
        }

        // A crash of the whole cluster has plans of its own.
        Assert.Equal(Enum.GetValues<FaultKind>().Except([FaultKind.ClusterCrash]), kinds.Order());
        for (var draw = 0; draw < DrawCount; draw++)
            Assert.All(FaultPlan.DrawClusterCrash(random).Faults, fault => Assert.Equal(FaultKind.ClusterCrash, fault.Kind));
    }

    [Fact]
    public void Settings_OfManyRuns_CoverEverySize()
    {
        var random = new SimulationRandom(2);
        var drawn = Enumerable.Range(0, DrawCount).Select(_ => SimulationSettings.Draw(random)).ToArray();
        Assert.Equal([3, 4, 5, 6, 7, 8], drawn.Select(each => each.NodeCount).Distinct().Order());
        Assert.Equal([4, 8, 16], drawn.Select(each => each.PartitionCount).Distinct().Order());
        Assert.Equal([0, 1, 2], drawn.Select(each => each.Backups).Distinct().Order());
        Assert.Equal(SimulationSettings.NodeCountMax, drawn.Max(each => each.NodeCount + each.SpareCount));
        Assert.All(drawn, each => Assert.True(each.ClientCount * each.OperationsPerClient >= 200));
        Assert.InRange(drawn.Count(each => each.Backups > 0), DrawCount * 8 / 10, DrawCount);
        Assert.InRange(drawn.Count(each => each.IsSameKernel), DrawCount / 3, DrawCount / 2);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void Fault_HasTheEffectThatItClaims(FaultKind kind)
    {
        var (usual, disturbed) = (0L, 0L);
        for (var seed = 1UL; seed <= SeedCount; seed++)
        {
            usual += EffectOf(kind, Run(seed, FaultPlan.None));
            var plan = new FaultPlan([new PlannedFault(kind, Duration, Duration)]);
            var cluster = Run(seed, plan);
            disturbed += EffectOf(kind, cluster);
            Assert.Equal(1, cluster.Faults.BegunCount);
            Assert.True(cluster.Faults.IsOver);
        }

        Assert.True(disturbed >= (2 * usual) + SeedCount, $"{kind}: {disturbed} with the fault, {usual} without it");
    }

    public static TheoryData<FaultKind> Kinds() => new(Enum.GetValues<FaultKind>());

    // The toy that writes the table without end is the one that notices faults of swaps and notifications.
    private static SimulatedCluster Run(ulong seed, FaultPlan plan)
    {
        var settings = new SimulationSettings
        {
            NodeCount = 4,
            SpareCount = 2,
            IsSameKernel = true,
            OperationsPerClient = 30,
            DurationMin = TimeSpan.FromSeconds(22),
            QuietTime = TimeSpan.FromSeconds(2),
        };
        var setup = Toys.Setup(ToyVariant.WritesWithoutEnd) with
        {
            Faults = _ => plan,
            Settings = _ => settings,
            Invariants = () => SimulationSetup.StandardInvariants()
                .Where(each => each is not (ReplicationInvariant or StoreWriteInvariant)),
        };
        var report = new SimulationRunner(setup).Run(seed);
        Assert.Empty(report.Violations);
        return report.Cluster;
    }

    private static long EffectOf(FaultKind kind, SimulatedCluster cluster)
    {
        var (network, store) = (cluster.Network.Counts, cluster.Store.Counts);
        return kind switch
        {
            FaultKind.Delay => network.Slow,
            FaultKind.Loss => network.Lost,
            FaultKind.Duplication => network.Duplicated,
            FaultKind.Reordering => network.Overtaking,
            <= FaultKind.Stall => network.Cut,
            FaultKind.ReplyLoss => network.Lost,
            FaultKind.StoreIsolation or FaultKind.StoreOutage => store.Unreachable,
            FaultKind.Pause => cluster.Nodes.Sum(node => node.DeferredCount),
            FaultKind.StaleReads => store.StaleReads,
            FaultKind.UnknownOutcomes => Math.Min(store.UnknownApplied, store.UnknownNotApplied),
            FaultKind.SilentStore => store.NotificationsLost,
            FaultKind.ForeignStore => store.ForeignReads,
            FaultKind.WallJump => cluster.Nodes.Sum(node => node.Clock.JumpCount),
            _ => cluster.LifeCount - cluster.Settings.NodeCount,
        };
    }
}
