using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes that stop for a while and go on, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class PauseTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Brief = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Long = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LongCollection = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan GapOfBrief = TimeSpan.FromSeconds(2.5);
    private static readonly TimeSpan GapByGrace = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan GapOfWrites = TimeSpan.FromSeconds(4.5);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F3")]
    public Task PauseBelowTheLease_ChangesNothing_Short() => CheckBriefAsync(pauses: 2);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F3")]
    public Task PauseBelowTheLease_ChangesNothing() => CheckBriefAsync(pauses: 10);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F4")]
    [Trait("Case", "glue-89")]
    public Task PauseOfAPrimary_AnswersNothingOld_Short() => CheckLongAsync(pauses: 1, ofCoordinator: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F4")]
    [Trait("Case", "glue-89")]
    [Trait("Case", "experience-X3")]
    public Task PauseOfAPrimary_AnswersNothingOld() => CheckLongAsync(pauses: 5, ofCoordinator: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-coordinator-pause")]
    public Task PauseOfTheCoordinator_AnswersNothingOld() => CheckLongAsync(pauses: 2, ofCoordinator: true);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F5")]
    public Task PauseOfABackup_HoldsWritesBackBriefly_Short() => CheckBackupAsync(pauses: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F5")]
    public Task PauseOfABackup_HoldsWritesBackBriefly() => CheckBackupAsync(pauses: 5);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F30")]
    public Task CollectionOfFiveSeconds_IsLikeAPause_Short() => CheckCollectionAsync(collections: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F30")]
    public Task CollectionOfFiveSeconds_IsLikeAPause() => CheckCollectionAsync(collections: 5);

    private async Task CheckBriefAsync(int pauses)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var paused = run.Cluster[await run.Cluster.FindFollowerAsync()];
        for (var pause = 1; pause <= pauses; pause++)
        {
            var (before, affected) = (run.Cluster.Table, run.PartitionsOf(paused.Name));
            paused.Process!.Pause();
            run.FaultBegins(affected);
            await run.Load.RunForAsync(Brief);

            // The partitions of the paused node stay as they are. The other primaries go on without a backup that has
            // not acknowledged an entry for a second. When that backup is back, the coordinator spreads the load again.
            run.CheckUnchanged(before, affected);
            paused.Process.Resume();
            run.FaultEnds();
            await run.Cluster.WaitUntilReplicatedAsync(FaultCluster.StartBound);
            await run.Load.RunForAsync(FaultRun.Calm);
        }

        await run.EndAsync();
        run.CheckGap(run.All, GapOfBrief, "any partition");
        run.CheckNothingFailed();
    }

    private async Task CheckLongAsync(int pauses, bool ofCoordinator)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        for (var pause = 1; pause <= pauses; pause++)
        {
            var name = ofCoordinator
                ? await run.Cluster.FindCoordinatorAsync() ?? throw new InvalidOperationException("no coordinator")
                : await run.Cluster.FindFollowerAsync();
            int[] affected = [.. run.PartitionsOf(name), .. run.BackupsOf(name)];
            var process = run.Cluster[name].Process!;
            process.Pause();
            run.FaultBegins(affected);
            await run.Load.RunForAsync(Long);
            Assert.Empty(run.PartitionsOf(name));
            process.Resume();
            run.FaultEnds();
            run.Load.Probe(affected);
            await run.WaitUntilRestoredAsync(TimeSpan.FromSeconds(30));
            await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        }

        // The checker sees each answer of the node that went on: a read of an old value or a write that nobody else has
        // is not linearizable.
        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
    }

    private async Task CheckBackupAsync(int pauses)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var (all, copies) = (new HashSet<int>(), Array.Empty<int>());
        for (var pause = 1; pause <= pauses; pause++)
        {
            var name = await run.Cluster.FindFollowerAsync();
            copies = run.BackupsOf(name);
            all.UnionWith(copies);
            var process = run.Cluster[name].Process!;
            process.Pause();
            run.FaultBegins(copies);
            await run.Load.RunForAsync(Long);
            process.Resume();
            run.FaultEnds();
            await run.WaitUntilRestoredAsync(TimeSpan.FromSeconds(30));
            await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        }

        await run.EndAsync();
        run.CheckGap(all, GapOfWrites, "writes with a copy on the paused node", isOfWrites: true);
    }

    private async Task CheckCollectionAsync(int collections)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        for (var collection = 1; collection <= collections; collection++)
        {
            var node = run.Cluster[await run.Cluster.FindFollowerAsync()];
            int[] affected = [.. run.PartitionsOf(node.Name), .. run.BackupsOf(node.Name)];
            await node.WriteAsync(BlockedCollector.Command);
            run.FaultBegins(affected);
            await run.Load.RunForAsync(LongCollection);
            await node.WriteAsync("");
            run.FaultEnds();
            await run.WaitUntilRestoredAsync(TimeSpan.FromSeconds(30));
            await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
            Assert.Equal(collection, node.Process!.Lines.Count(line => line == BlockedCollector.Over));
        }

        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
    }
}
