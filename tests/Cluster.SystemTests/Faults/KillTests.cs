using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes that are killed while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class KillTests(ITestOutputHelper output)
{
    private const int KillsInFull = 20;
    private const int KillsInShort = 3;

    private static readonly TimeSpan GapByGrace = TimeSpan.FromSeconds(6);
    private static readonly TimeSpan GapByProof = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan BetweenKills = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan NewCoordinatorWithin = TimeSpan.FromSeconds(7);
    private static readonly TimeSpan RestoredWithin = TimeSpan.FromSeconds(15);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F1")]
    [Trait("Case", "experience-X2")]
    public Task KillOfNodes_WithProofOfDeath_Short() => CheckKillsAsync(KillsInShort, hasProof: true);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F1")]
    [Trait("Case", "experience-C1")]
    public Task KillOfNodes_ByGrace_Short() => CheckKillsAsync(KillsInShort, hasProof: false);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F1")]
    [Trait("Case", "experience-X3")]
    public Task KillOfNodes_WithProofOfDeath() => CheckKillsAsync(KillsInFull, hasProof: true);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F1")]
    public Task KillOfNodes_ByGrace() => CheckKillsAsync(KillsInFull, hasProof: false);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F2")]
    public Task KillOfTheCoordinator_Short() => CheckCoordinatorAsync(kills: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F2")]
    public Task KillOfTheCoordinator() => CheckCoordinatorAsync(kills: 5);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F25")]
    public Task TwoKillsAtOnce_LoseExactlyWhatBothHeld_Short() => CheckTwoKillsAsync(rounds: 1, nodeCount: 4);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F25")]
    public Task TwoKillsAtOnce_LoseExactlyWhatBothHeld() => CheckTwoKillsAsync(rounds: 3, nodeCount: 4);

    [RequiresConsulFact]
    [Trait("Case", "cluster-two-of-three")]
    public Task TwoKillsOfThreeNodes_LoseExactlyWhatBothHeld() => CheckTwoKillsAsync(rounds: 2, nodeCount: 3);

    private async Task CheckCoordinatorAsync(int kills)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        for (var kill = 1; kill <= kills; kill++)
        {
            var victim = await run.Cluster.FindCoordinatorAsync() ?? throw new InvalidOperationException("no coordinator");
            int[] affected = [.. run.PartitionsOf(victim), .. run.BackupsOf(victim)];
            var killedAt = run.Load.Now;
            var killed = run.Cluster.KillAsync(victim);
            run.FaultBegins(affected);
            await killed;
            await Eventually.TrueAsync(
                async () => await run.Cluster.FindCoordinatorAsync() is { } next && next != victim,
                NewCoordinatorWithin,
                "another node coordinates");
            run.Write($"another node coordinates after {run.Load.Now - killedAt:0.00} s (bound 7 s)");
            await run.WaitUntilRestoredAsync(RestoredWithin);
            await run.RestartAsync(victim);
        }

        await run.EndAsync();
        run.CheckGap(run.All, GapByProof, "any partition");
    }

    private async Task CheckTwoKillsAsync(int rounds, int nodeCount)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { NodeCount = nodeCount }, output);
        var lost = new HashSet<int>();
        for (var round = 1; round <= rounds; round++)
        {
            var before = run.Cluster.Table;
            string[] victims = [run.Cluster.Nodes[round % nodeCount].Name, run.Cluster.Nodes[(round + 1) % nodeCount].Name];
            int[] held = [.. run.All.Where(index => before.HoldersOf(index).All(victims.Contains))];
            run.Write($"kill {string.Join(" and ", victims)}; both alone hold {held.Length} partitions");
            await Task.WhenAll(victims.Select(run.Cluster.KillAsync));
            run.FaultBegins([]);
            await run.WaitUntilRestoredAsync(RestoredWithin);
            int[] counted =
            [
                .. run.All.Where(index =>
                    run.Cluster.Table.Partitions[index].LossCount > before.Partitions[index].LossCount),
            ];
            Assert.Equal(held, counted);
            lost.UnionWith(held);
            foreach (var victim in victims)
                await run.RestartAsync(victim);
        }

        Assert.NotEmpty(lost);
        await run.EndAsync(new FaultExpectations { MayLose = true, LostPartitions = lost });
        run.CheckGap(run.All, GapByGrace, "any partition");
    }

    private async Task CheckKillsAsync(int kills, bool hasProof)
    {
        var isFull = kills == KillsInFull;
        var settings = new FaultSettings { HasProofOfDeath = hasProof, NodeCount = isFull ? 5 : 3 };
        await using var run = await FaultRun.BeginAsync(settings, output);
        var random = new Random(kills);
        for (var kill = 1; kill <= kills; kill++)
        {
            var began = run.Load.Now;
            var victim = run.Cluster.Nodes[random.Next(run.Cluster.Nodes.Length)].Name;
            run.Write($"kill {kill} hits {victim}");
            var affected = run.PartitionsOf(victim);
            var copies = run.BackupsOf(victim);
            var killed = run.Cluster.KillAsync(victim);
            run.FaultBegins([.. affected, .. copies]);
            await killed;
            await run.WaitUntilRestoredAsync(RestoredWithin);
            await run.RestartAsync(victim);
            var left = BetweenKills - TimeSpan.FromSeconds(run.Load.Now - began);
            if (isFull && left > TimeSpan.Zero)
                await run.Load.RunForAsync(left);
        }

        await run.EndAsync();
        run.CheckGap(run.All, hasProof ? GapByProof : GapByGrace, "any partition");
    }
}
