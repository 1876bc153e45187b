using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Core;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Protocol;

/// <summary>Whole clusters in the simulator: the protocol keeps every promise.</summary>
public sealed class CoreSimulationTests(ITestOutputHelper output)
{
    [Fact]
    public void Cluster_Over200Seeds_KeepsEveryPromise() =>
        Check(new SimulationSeeds(First: 1, Count: 200, Threads: 2, TraceFile: null));

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void Cluster_OverManySeeds_KeepsEveryPromise() => Check(SimulationSeeds.FromEnvironment(count: 2_000));

    /// <summary>The storage of the product agrees with sorted maps at each call.</summary>
    [Fact]
    public void Cluster_OnAPile_KeepsEveryPromise() =>
        Check(new SimulationSeeds(First: 1, Count: 30, Threads: 2, TraceFile: null), isOnPile: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void Cluster_OnAPile_OverManySeeds_KeepsEveryPromise() =>
        Check(SimulationSeeds.FromEnvironment(count: 500), isOnPile: true);

    /// <summary>Mistakes that few seeds find.</summary>
    [Theory]
    [InlineData("NoReadLease")]
    [InlineData("AcknowledgeAfterTimeout")]
    [InlineData("ShortGrace")]
    [InlineData("OwnViewOfHealth")]
    [InlineData("RunAgainOnBackups")]
    [InlineData("BackupsExpire")]
    [InlineData("SealOnClaim")]
    [InlineData("ReceiversClock")]
    public void Mistake_IsFoundWithin200Seeds(string mutant) => FindMistake(mutant, count: 200);

    /// <summary>Mistakes that need more seeds, or seeds that take longer.</summary>
    [Theory]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [InlineData("LeaseFromReceipt")]
    [InlineData("ForeignTable")]
    [InlineData("NoEpochCheck")]
    [InlineData("AcknowledgeAfterTakeover")]
    [InlineData("FirstLease")]
    [InlineData("ReadWhileSealed")]
    [InlineData("JoinWithoutTarget")]
    [InlineData("CommitOnPromotion")]
    [InlineData("IsolatedShrink")]
    [InlineData("RequestsNotCopied")]
    [InlineData("WaitForSlowest")]
    [InlineData("SealBeforeCopy")]
    [InlineData("CountLossLate")]
    [InlineData("LeaseWithoutTarget")]
    [InlineData("GraceFromBeacon")]
    public void Mistake_IsFoundWithin1000Seeds(string mutant) => FindMistake(mutant, count: 1_000);

    [Fact]
    public void Seed_GivesTheSameRun()
    {
        var runner = new SimulationRunner(CoreSimulation.Setup());
        for (var seed = 1UL; seed <= 3; seed++)
            Assert.Equal(runner.Run(seed).ToString(), runner.Run(seed).ToString());
    }

    private void FindMistake(string mutant, int count)
    {
        var found = new SimulationRunner(CoreSimulation.Setup(mutant)).FindViolation(first: 1, count);
        Assert.NotNull(found);
        output.WriteLine(found.ToString());
    }

    private void Check(SimulationSeeds seeds, bool isOnPile = false)
    {
        var totals = seeds.Run(CoreSimulation.Setup(mutant: null, isOnPile));
        output.WriteLine(totals.ToString());
        Assert.Empty(totals.Failures);
        Assert.Equal(seeds.Count, totals.RunCount);
    }
}
