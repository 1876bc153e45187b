using Cluster.StateStore;
using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Clients that try again whatever failed, and a cluster of one node that stands still for minutes.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class RetryTests(ITestOutputHelper output)
{
    private const int ClientCount = 16;
    private static readonly TimeSpan GapByGrace = TimeSpan.FromSeconds(6);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F31")]
    public Task RetryStorm_CountsEachIncrementOnce_Short() => CheckStormAsync(kills: 2);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F31")]
    public Task RetryStorm_CountsEachIncrementOnce() => CheckStormAsync(kills: 10);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F32")]
    public Task PauseOfTheOnlyNode_BreaksNothing_Short() => CheckOnlyNodeAsync(TimeSpan.FromSeconds(30));

    [RequiresConsulFact]
    [Trait("Case", "cluster-F32")]
    public Task PauseOfTheOnlyNode_BreaksNothing() => CheckOnlyNodeAsync(TimeSpan.FromMinutes(5));

    private async Task CheckStormAsync(int kills)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        using var end = new CancellationTokenSource();
        var storms = Enumerable.Range(0, ClientCount)
            .Select(client => StormAsync(run.Cluster.Counters, $"storm-{client}", end.Token))
            .ToArray();
        for (var kill = 1; kill <= kills; kill++)
        {
            var victim = run.Cluster.Nodes[kill % run.Cluster.Nodes.Length].Name;
            int[] affected = [.. run.PartitionsOf(victim), .. run.BackupsOf(victim)];
            var killed = run.Cluster.KillAsync(victim);
            run.FaultBegins(affected);
            await killed;
            await run.WaitUntilRestoredAsync(FaultCluster.StartBound);
            await run.RestartAsync(victim);
        }

        await end.CancelAsync();
        var counts = await Task.WhenAll(storms);
        await run.EndAsync();
        run.CheckGap(run.All, GapByGrace, "any partition");
        run.Write($"{counts.Sum(count => count.Done)} increments, {counts.Sum(count => count.Unknown)} unknown, "
            + $"{counts.Sum(count => count.Refused)} refused");
        foreach (var (client, count) in counts.Index())
        {
            Assert.True(count.Done > 0);
            var sum = (await run.Cluster.Counters.GetAsync($"storm-{client}"))!.Number;
            Assert.InRange(sum, count.Done, count.Done + count.Unknown);
        }
    }

    // Each failed increment is made again at once, as a new one.
    private static async Task<(long Done, long Unknown, long Refused)> StormAsync(
        IPartitionedState<string, Counter> counters, string key, CancellationToken end)
    {
        var (done, unknown, refused) = (0L, 0L, 0L);
        while (!end.IsCancellationRequested)
        {
            try
            {
                await counters.UpdateAsync(key, new Add(1), CancellationToken.None);
                done++;
            }
            catch (StateOutcomeUnknownException)
            {
                unknown++;
            }
            catch (Exception failure) when (failure is StateUnavailableException or StateBusyException)
            {
                refused++;
            }
        }

        return (done, unknown, refused);
    }

    private async Task CheckOnlyNodeAsync(TimeSpan pause)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { NodeCount = 1 }, output);
        var node = run.Cluster.Nodes[0];
        var incarnation = node.Incarnation;
        node.Process!.Pause();
        run.FaultBegins([]);
        await run.Load.RunForAsync(pause);
        node.Process.Resume();
        run.FaultEnds();
        await run.Load.RunForAsync(FaultRun.Calm);
        await run.EndAsync(new FaultExpectations { ServesDuringFault = false });
        Assert.Equal(incarnation, node.Incarnation);
        Assert.False(node.Process.HasExited);
        run.CheckPrimaries();
        run.CheckGap(run.All, pause + TimeSpan.FromSeconds(2.5), "any partition");
    }
}
