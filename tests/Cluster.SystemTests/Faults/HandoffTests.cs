using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes that are killed, full or cut while partitions are copied and move, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class HandoffTests(ITestOutputHelper output)
{
    private const int SmallBudgetBytes = 16 << 20;
    private static readonly TimeSpan GapByGrace = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan NoGap = TimeSpan.FromSeconds(1.5);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F18")]
    public Task KillAmidAHandoff_EndsOrAbortsIt_Short() =>
        CheckKillsAsync((HandoffStep.Copying, true), (HandoffStep.Moving, false));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F18")]
    public Task KillAmidAHandoff_EndsOrAbortsIt() => CheckKillsAsync(
        (HandoffStep.Copying, true), (HandoffStep.Copying, false),
        (HandoffStep.InSync, true), (HandoffStep.InSync, false),
        (HandoffStep.Moving, true), (HandoffStep.Moving, false),
        (HandoffStep.Moved, true), (HandoffStep.Moved, false));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F20")]
    public async Task TargetWithoutRoom_LeavesTheSourceServing()
    {
        // A partition holds more than the pile of the node that joins can take.
        var settings = new FaultSettings { FurtherNodes = 1, PartitionCount = 8 };
        await using var run = await FaultRun.BeginAsync(settings, output);
        await run.FillAsync(count: 400, bytes: 500_000);
        var full = run.Cluster.Nodes[3];
        run.FaultBegins([]);
        run.Cluster.Start(full.Name, $"--Cluster:PileBudgetBytes={SmallBudgetBytes}");
        await full.WaitUntilStartedAsync(FaultCluster.StartBound);
        await Eventually.TrueAsync(() => run.Cluster.Table.IsTarget(full.Name), FaultCluster.StartBound);
        await run.Load.RunForAsync(TimeSpan.FromSeconds(15));
        Assert.False(full.Process!.HasExited);
        Assert.Empty(run.PartitionsOf(full.Name));
        Assert.Empty(run.BackupsOf(full.Name));
        full.Process.Send(ProcessSignal.Terminate);
        await full.Process.WaitForExitAsync(FaultCluster.StartBound);
        run.Cluster.RefuseConnectionsTo(full.Name);
        await run.EndAsync(new FaultExpectations { ExitCodes = [0, FaultExpectations.DrainIncomplete] });
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckNothingFailed();
    }

    [RequiresConsulFact]
    [Trait("Case", "cluster-F19")]
    public async Task DamagedBytesBetweenNodes_AreFoundAndSentAgain()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        await run.FillAsync();
        var joining = run.Cluster.Nodes[3];
        run.FaultBegins([]);
        run.Cluster.Start(joining.Name);
        await Eventually.TrueAsync(() => run.Cluster.Table.IsTarget(joining.Name), FaultCluster.StartBound);
        run.Cluster.DamageBetweenNodes(percent: 2);
        await run.Load.RunForAsync(TimeSpan.FromSeconds(15));
        run.Cluster.DamageBetweenNodes(percent: 0);
        run.FaultEnds();
        await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        await run.EndAsync();
        run.CheckNothingFailed();
    }

    // Each time, a node joins that has nothing, so that partitions are copied to it and some of them move there.
    private async Task CheckKillsAsync(params (HandoffStep Step, bool IsTarget)[] kills)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        await run.FillAsync();
        var joining = run.Cluster.Nodes[3];
        foreach (var (step, isTarget) in kills)
        {
            run.Cluster.Start(joining.Name);
            string? source = null;
            await Eventually.TrueAsync(
                () => (source = run.Cluster.Table.FindSource(joining.Incarnation, step)) is not null, FaultCluster.StartBound,
                $"a partition is {step}");
            var victim = isTarget ? joining.Name : source!;
            run.Write($"a partition of {source} is {step}; {victim} is killed");
            int[] affected = [.. run.PartitionsOf(victim), .. run.BackupsOf(victim)];
            var killed = run.Cluster.KillAsync(victim);
            run.FaultBegins(affected);
            await killed;
            if (!isTarget)
            {
                await joining.WaitUntilStartedAsync(FaultCluster.StartBound);
                await run.WaitUntilRestoredAsync(FaultCluster.StartBound);
                await run.RestartAsync(source!);
                joining.Process!.Send(ProcessSignal.Terminate);
                await joining.Process.WaitForExitAsync(FaultCluster.StartBound);
                run.Cluster.RefuseConnectionsTo(joining.Name);
            }

            await run.WaitUntilRestoredAsync(FaultCluster.StartBound);
        }

        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
    }
}
