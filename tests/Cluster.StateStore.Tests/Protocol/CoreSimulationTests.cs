using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Core;
using Cluster.Testing.Simulation.Faults;
using Cluster.Testing.Simulation.Invariants;
using Cluster.Testing.Simulation.Network;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Protocol;

/// <summary>Whole clusters in the simulator: the protocol keeps every promise.</summary>
public sealed class CoreSimulationTests(ITestOutputHelper output)
{
    // The simulation step of the CI runs thousands of seeds.
    [Fact]
    [Trait("Case", "glue-89")]
    [Trait("Case", "glue-90")]
    public void Cluster_OverSomeSeeds_KeepsEveryPromise() =>
        Check(new SimulationSeeds(First: 1, Count: 30, Threads: 2, TraceFile: null));

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [Trait("Case", "experience-C1")]
    public void Cluster_OverManySeeds_KeepsEveryPromise() => Check(SimulationSeeds.FromEnvironment(count: 2_000));

    /// <summary>The storage of the product agrees with sorted maps at each call.</summary>
    [Fact]
    public void Cluster_OnAPile_KeepsEveryPromise() =>
        Check(new SimulationSeeds(First: 1, Count: 10, Threads: 2, TraceFile: null), isOnPile: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [Trait("Case", "experience-C1")]
    public void Cluster_OnAPile_OverManySeeds_KeepsEveryPromise() =>
        Check(SimulationSeeds.FromEnvironment(count: 500), isOnPile: true);

    /// <summary>Seeds that once broke a promise. A change of what is drawn by chance makes other runs of them.</summary>
    [Theory]
    [InlineData(5_013)]
    public void Seed_ThatOnceBrokeAPromise_KeepsIt(int seed) =>
        Check(new SimulationSeeds(First: (ulong)seed, Count: 1, Threads: 1, TraceFile: null));

    /// <summary>Strict reads, and reads that may be old. The invariants know the promise of each.</summary>
    [Theory]
    [InlineData(ReadMode.Strict)]
    [InlineData(ReadMode.Stale)]
    [Trait("Case", "cluster-I14")]
    public void Cluster_WithOtherReads_KeepsEveryPromise(ReadMode reads) =>
        Check(new SimulationSeeds(First: 1, Count: 10, Threads: 2, TraceFile: null), reads: reads);

    [Theory]
    [InlineData(ReadMode.Strict)]
    [InlineData(ReadMode.Stale)]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [Trait("Case", "experience-C1")]
    public void Cluster_WithOtherReads_OverManySeeds_KeepsEveryPromise(ReadMode reads) =>
        Check(SimulationSeeds.FromEnvironment(count: 500), reads: reads);

    /// <summary>A strict read needs no lease, so it is right although clocks lie. Other reads are not.</summary>
    [Fact]
    public void StrictReads_WithoutAnyLease_AreLinearizable()
    {
        Assert.Null(FindInHistories(ReadMode.Strict, count: 15));
        Assert.NotNull(FindInHistories(ReadMode.Linearizable, count: 200));

        static SimulationReport? FindInHistories(ReadMode reads, int count)
        {
            var setup = CoreSimulation.Setup("NoReadLease", reads: reads) with
            {
                Invariants = static () => [new RegisterHistoryInvariant(), new ListHistoryInvariant()],
            };
            return new SimulationRunner(setup).FindViolation(first: 1, count);
        }
    }

    [Fact]
    [Trait("Case", "cluster-I14")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void AgeFromReceipt_IsFoundWithin200Seeds()
    {
        Assert.Null(FindWhereAnswersTakeLong(mutant: null, count: 40));
        var found = FindWhereAnswersTakeLong("AgeFromReceipt", count: 200);
        Assert.NotNull(found);
        output.WriteLine(found.ToString());

        // Replicas may need more than the quiet time there, so only the age of the answers is judged.
        static SimulationReport? FindWhereAnswersTakeLong(string? mutant, int count)
        {
            var link = new LinkQuality
            {
                DelayMin = TimeSpan.FromMilliseconds(180),
                DelayMax = TimeSpan.FromMilliseconds(190),
            };
            var setup = CoreSimulation.Setup(mutant) with
            {
                Settings = random => SimulationSettings.Draw(random) with { Reads = ReadMode.Stale, Link = link },
                Invariants = static () => [new StalenessInvariant()],
            };
            return new SimulationRunner(setup).FindViolation(first: 1, count);
        }
    }

    /// <summary>The rules of large clusters, in which not all members exchange beacons.</summary>
    [Fact]
    public void Cluster_WithBeaconsBetweenFewMembers_KeepsEveryPromise() =>
        Check(new SimulationSeeds(First: 1, Count: 15, Threads: 2, TraceFile: null), isSparse: true);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void Cluster_WithBeaconsBetweenFewMembers_OverManySeeds_KeepsEveryPromise() =>
        Check(SimulationSeeds.FromEnvironment(count: 2_000), isSparse: true);

    /// <summary>All nodes crash at once, and restore from their snapshots what they held.</summary>
    [Fact]
    [Trait("Case", "cluster-snapshots")]
    public void Cluster_ThatCrashesAsAWhole_IsRestoredFromItsNewestSnapshots() =>
        Check(new SimulationSeeds(First: 1, Count: 20, Threads: 2, TraceFile: null), CoreSimulation.SetupWithSnapshots());

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void Cluster_ThatCrashesAsAWhole_OverManySeeds_IsRestoredFromItsNewestSnapshots() =>
        Check(SimulationSeeds.FromEnvironment(count: 400), CoreSimulation.SetupWithSnapshots());

    [Theory]
    [Trait("Case", "cluster-snapshots")]
    [InlineData("AnySnapshot")]
    [InlineData("RestoreAtOnce")]
    [InlineData("ServeWhileLoading")]
    public void MistakeOfRestoration_IsFoundWithin100Seeds(string mutant)
    {
        var runner = new SimulationRunner(CoreSimulation.SetupWithSnapshots(mutant));
        var found = runner.FindViolation(first: 1, count: 100);
        Assert.NotNull(found);
        Assert.All(found.Violations, violation => Assert.Equal("I19", violation.Invariant));
        output.WriteLine(found.ToString());
    }

    /// <summary>Nodes come back with the records of an earlier life, and get the rest from the log.</summary>
    [Fact]
    [Trait("Case", "cluster-mapped")]
    [Trait("Case", "glue-55")]
    public void Cluster_WhoseNodesComeBackWithTheirFolders_KeepsEveryPromise()
    {
        var count = new RejoinCount();
        Check(
            new SimulationSeeds(First: 1, Count: 30, Threads: 2, TraceFile: null),
            CoreSimulation.SetupWithFolders(mutant: null, count));
        output.WriteLine($"{count.Copies} copies, {count.Differences} differences, {count.Dropped} bases dropped");
        Assert.InRange(count.Differences, 10, count.Copies / 2);
        Assert.True(count.Dropped > 10);
    }

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void Cluster_WhoseNodesComeBackWithTheirFolders_OverManySeeds_KeepsEveryPromise() =>
        Check(SimulationSeeds.FromEnvironment(count: 1_000), CoreSimulation.SetupWithFolders());

    [Theory]
    [Trait("Case", "cluster-mapped")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    [InlineData("MarkBeforeRecords")]
    [InlineData("BaseWithoutProof")]
    [InlineData("CopyOverBase")]
    public void MistakeOfBases_IsFoundWithin200Seeds(string mutant)
    {
        var found = new SimulationRunner(CoreSimulation.SetupWithFolders(mutant)).FindViolation(first: 1, count: 200);
        Assert.NotNull(found);
        output.WriteLine(found.ToString());
    }

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
    [InlineData("LeaseWithoutTarget")]
    [InlineData("GraceFromBeacon")]
    [Trait("Case", "glue-89")]
    public void Mistake_IsFoundWithin1000Seeds(string mutant) => FindMistake(mutant, count: 1_000);

    /// <summary>Only runs in which several nodes crash have losses.</summary>
    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Simulation")]
    public void CountLossLate_WhereNodesCrash_IsFoundWithin200Seeds()
    {
        var setup = CoreSimulation.Setup("CountLossLate") with
        {
            Settings = static random => SimulationSettings.Draw(random) with { IsSameKernel = true },
            Faults = FaultPlan.DrawCrashes,
        };
        var found = new SimulationRunner(setup).FindViolation(first: 1, count: 200);
        Assert.NotNull(found);
        output.WriteLine(found.ToString());
    }

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

    private void Check(
        SimulationSeeds seeds,
        bool isOnPile = false,
        ReadMode reads = ReadMode.Linearizable,
        bool isSparse = false) =>
        Check(seeds, CoreSimulation.Setup(mutant: null, isOnPile, reads, isSparse));

    private void Check(SimulationSeeds seeds, SimulationSetup setup)
    {
        var totals = seeds.Run(setup);
        output.WriteLine(totals.ToString());
        Assert.Empty(totals.Failures);
        Assert.Equal(seeds.Count, totals.RunCount);
    }
}
