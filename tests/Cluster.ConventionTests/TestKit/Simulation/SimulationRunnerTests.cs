using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Faults;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>Whole runs of the simulator with toy programs: the right one keeps every promise, and each mistake is
/// found.</summary>
public sealed class SimulationRunnerTests(ITestOutputHelper output)
{
    private const int SeedCount = 200;

    [Fact]
    public void RightToy_OverManySeeds_KeepsEveryPromise_AndMeetsEveryFault() =>
        CheckRight(new SimulationSeeds(First: 1, SeedCount, Threads: 2, TraceFile: null));

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void RightToy_OverFourThousandSeeds_KeepsEveryPromise() =>
        CheckRight(SimulationSeeds.FromEnvironment(count: 4_000));

    [Fact]
    public void Seed_GivesTheSameRun_WithOrWithoutTheTrace_AndOtherSeedsOthers()
    {
        var hashes = new HashSet<ulong>();
        var setup = Toys.Setup(ToyVariant.Right);
        for (var seed = 1UL; seed <= 20; seed++)
        {
            var report = new SimulationRunner(setup).Run(seed);
            var traced = new SimulationRunner(setup with { IsTraced = true }).Run(seed);
            Assert.Equal(report.ToString(), traced.ToString());
            Assert.Empty(report.Cluster.World.Trace.Lines);
            Assert.NotEmpty(traced.Cluster.World.Trace.Lines);
            hashes.Add(report.Hash);
        }

        Assert.Equal(20, hashes.Count);
    }

    [Fact]
    public void Runs_AreLongAndBusyEnough()
    {
        var runner = new SimulationRunner(Toys.Setup(ToyVariant.Right));
        for (var seed = 1UL; seed <= 50; seed++)
        {
            var report = runner.Run(seed);
            Assert.InRange(report.Duration, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(400));
            Assert.InRange(report.OperationCount, 200, 500);
            var finals = report.Cluster.Operations.Where(operation => operation.IsFinal);
            Assert.Equal(report.Cluster.Workload.Keys, finals.Select(operation => operation.Request.Key));
            Assert.InRange(report.FaultCount, 3, 7);
            Assert.InRange(report.Cluster.Faults.OverlappingCount, 1, 6);
            Assert.True(report.Duration >= report.Cluster.Faults.LastEnd + TimeSpan.FromSeconds(15));
        }
    }

    [Theory]
    [InlineData(ToyVariant.AnswersStaleReads, "history")]
    [InlineData(ToyVariant.LosesAcknowledgedWrites, "history")]
    [InlineData(ToyVariant.ExecutesRetries, "history")]
    [InlineData(ToyVariant.AppliesForeignTables, "I16")]
    [InlineData(ToyVariant.NeverLeaves, "I13")]
    [InlineData(ToyVariant.WritesWithoutEnd, "I12")]
    [InlineData(ToyVariant.GoesBackToOldTables, "I2")]
    [InlineData(ToyVariant.IsSilentAfterARestart, "service")]
    public void WrongToy_OverManySeeds_IsFound(ToyVariant variant, string invariant)
    {
        var found = new SimulationRunner(Toys.Setup(variant)).FindViolation(first: 1, SeedCount);
        Assert.NotNull(found);
        output.WriteLine(found.ToString());
        Assert.Equal(invariant, found.Violations[0].Invariant);
    }

    private void CheckRight(SimulationSeeds seeds)
    {
        var totals = seeds.Run(Toys.Setup(ToyVariant.Right));
        output.WriteLine(totals.ToString());
        Assert.Empty(totals.Failures);
        Assert.Equal(seeds.Count, totals.RunCount);
        if (seeds.Count >= SeedCount)
        {
            Assert.All(
                Enum.GetValues<FaultKind>().Except([FaultKind.ClusterCrash]),
                kind => Assert.True(totals.CountOf(kind) > 0, $"no {kind}"));
        }
    }
}
