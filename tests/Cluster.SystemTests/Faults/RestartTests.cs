using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes that stop in order, join and leave, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class RestartTests(ITestOutputHelper output)
{
    private const int JoiningNodes = 10;
    private const int FirstNodes = 3;
    private const int TablesMax = 30;
    private const int BallastCount = 2_000;
    private const int BallastBytes = 10_000;
    private const double MovedMax = 1.1;
    private static readonly TimeSpan AnsweredWithin = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan GapOfJoins = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan GapByGrace = TimeSpan.FromSeconds(6);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F21")]
    [Trait("Case", "glue-87")]
    public Task RollingRestart_FailsNoOperation_Short() => CheckRollingAsync(rounds: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F21")]
    [Trait("Case", "glue-87")]
    [Trait("Case", "experience-X4")]
    public Task RollingRestart_FailsNoOperation() => CheckRollingAsync(rounds: 3);

    [RequiresConsulTheory]
    [InlineData(8)]
    [InlineData(20)]
    [InlineData(45)]
    [Trait("Case", "cluster-receiver-pause")]
    public Task ReceiverPaused_InADrain(int seconds) => CheckDrainAsync(TimeSpan.FromSeconds(seconds));

    [RequiresConsulFact]
    [Trait("Case", "cluster-receiver-pause")]
    public Task ReceiverKilled_InADrain() => CheckDrainAsync(pause: null);

    [RequiresConsulTheory]
    [InlineData(8)]
    [InlineData(20)]
    [InlineData(45)]
    [Trait("Case", "cluster-receiver-pause")]
    public async Task ReceiverPaused_InAJoin(int seconds)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = 1 }, output);
        await run.FillAsync();
        var joining = run.Cluster.Nodes[3];
        run.Cluster.Start(joining.Name);
        await Eventually.TrueAsync(() => run.Cluster.Table.IsTarget(joining.Name), FaultCluster.StartBound);
        joining.Process!.Pause();
        run.FaultBegins([.. run.PartitionsOf(joining.Name), .. run.BackupsOf(joining.Name)]);
        await run.Load.RunForAsync(TimeSpan.FromSeconds(seconds));
        joining.Process.Resume();
        run.FaultEnds();
        await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
    }

    [RequiresConsulFact]
    [Trait("Case", "cluster-F17")]
    public async Task TenNodesThatJoinThree_CostFewTablesAndCopies()
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { FurtherNodes = JoiningNodes }, output);
        await run.FillAsync(BallastCount, BallastBytes);
        var joining = run.Cluster.Nodes[FirstNodes..];
        foreach (var node in joining)
            run.Cluster.Start(node.Name, "--held=true");
        foreach (var node in joining)
            await node.Process!.WaitForLineAsync(line => line == HostLines.Held, FaultCluster.StartBound);
        var version = run.Cluster.Table.Version;
        run.FaultBegins([]);
        foreach (var node in joining)
            await node.WriteAsync(HostLines.Join);
        foreach (var node in joining)
            await node.WaitUntilStartedAsync(FaultCluster.StartBound);
        await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        run.FaultEnds();
        var tables = run.Cluster.Table.Version - version;
        var (copies, bytes) = (0L, 0L);
        foreach (var node in joining)
        {
            var counts = await node.ReadCopiesAsync(FaultCluster.StartBound);
            (copies, bytes) = (copies + counts.Copies, bytes + counts.Bytes);
        }

        await run.EndAsync();
        run.CheckNothingFailed();
        var moved = copies / IdealCopiesOf(run.Cluster.Settings);
        run.Write($"{copies} copies, {moved:0.00} of the ideal (bound {MovedMax}), {bytes >> 20} MB with new writes");
        run.Write($"{tables} tables (bound {TablesMax})");
        Assert.InRange(moved, 0.9, MovedMax);
        Assert.InRange(tables, 1, TablesMax);
        run.CheckGap(run.All, GapOfJoins, "any partition");
    }

    // What the new nodes have in the end came to each of them once.
    private static double IdealCopiesOf(FaultSettings settings) =>
        (settings.Backups + 1.0) * settings.PartitionCount * JoiningNodes / (FirstNodes + JoiningNodes);

    private async Task CheckRollingAsync(int rounds)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        for (var round = 1; round <= rounds; round++)
        {
            foreach (var node in run.Cluster.Nodes)
            {
                run.FaultBegins([]);
                node.Process!.Send(ProcessSignal.Terminate);
                Assert.Equal(0, await node.Process.WaitForExitAsync(FaultCluster.StartBound));
                run.Cluster.RefuseConnectionsTo(node.Name);
                run.Write($"{node.Name} has left");
                await run.RestartAsync(node.Name);
            }
        }

        await run.EndAsync();
        run.CheckNothingFailed();
        run.CheckLatency(0.99, AnsweredWithin);
    }

    private async Task CheckDrainAsync(TimeSpan? pause)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        await run.FillAsync();
        var leaving = run.Cluster[await run.Cluster.FindFollowerAsync()];
        var receiver = run.Cluster.Nodes.First(node => node != leaving);
        leaving.Process!.Send(ProcessSignal.Terminate);
        await Eventually.TrueAsync(() => run.Cluster.Table.IsTarget(receiver.Name), FaultCluster.StartBound);
        int[] affected = [.. run.PartitionsOf(receiver.Name), .. run.BackupsOf(receiver.Name)];
        if (pause is { } time)
        {
            receiver.Process!.Pause();
            run.FaultBegins(affected);
            await run.Load.RunForAsync(time);
            receiver.Process.Resume();
        }
        else
        {
            await run.Cluster.KillAsync(receiver.Name);
            run.FaultBegins(affected);
        }

        await leaving.Process.WaitForExitAsync(FaultCluster.StartBound);
        run.Write($"{leaving.Name} ended with {leaving.Process.ExitCode}");
        run.Cluster.RefuseConnectionsTo(leaving.Name);
        if (pause is null)
            await run.RestartAsync(receiver.Name);
        run.FaultEnds();
        await run.RestartAsync(leaving.Name);
        await run.EndAsync(new FaultExpectations { ExitCodes = [0, FaultExpectations.DrainIncomplete, FaultExpectations.Killed] });
        run.CheckGap(run.All, GapByGrace, "any partition");
    }
}
