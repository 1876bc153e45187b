using Cluster.SystemTests.Nodes;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Many faults, one after the other, chosen by a seed.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class SoakTests(ITestOutputHelper output)
{
    private const int EpochsPerFaultMax = 6;
    private const double GrowthMax = 1.5;

    // Memory that the runtime takes in its first minutes is no growth.
    private const long SlackBytes = 64L << 20;

    private static readonly TimeSpan FaultTime = TimeSpan.FromSeconds(8);

    // A move that was planned before a fault may make a node the owner that hears of it only when the fault has ended: a
    // node that is isolated, or whose Consul server is gone and elects anew. The grace comes after that.
    private static readonly TimeSpan GapMax = FaultTime + TimeSpan.FromSeconds(6);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F34")]
    public Task RandomFaults_LeaveMemoryAndEpochsFlat() => CheckAsync(TimeSpan.FromMinutes(30));

    private async Task CheckAsync(TimeSpan time)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings { ConsulServers = 3 }, output);
        var random = new Random(34);
        var memory = new List<long>();
        var faults = 0;
        while (run.Load.Now < time.TotalSeconds)
        {
            await FaultAsync(run, random.Next(4), run.Cluster.Nodes[random.Next(3)]);
            await run.WaitUntilRestoredAsync(FaultCluster.StartBound);
            await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
            memory.Add(await run.ReadMemoryAsync());
            run.Write($"fault {++faults}: {memory[^1] >> 20} MB of pile and managed memory");
        }

        await run.EndAsync();
        run.CheckEpochs(run.All, bound: faults * EpochsPerFaultMax);
        var half = memory.Count / 2;
        Assert.True(
            memory[half..].Average() <= (memory[..half].Average() * GrowthMax) + SlackBytes,
            $"memory grew: {string.Join(", ", memory.Select(bytes => bytes >> 20))} MB");
        run.CheckGap(run.All, GapMax, "any partition");
    }

    private static async Task FaultAsync(FaultRun run, int kind, FaultNode node)
    {
        int[] affected = [.. run.PartitionsOf(node.Name), .. run.BackupsOf(node.Name)];
        switch (kind)
        {
            case 0:
                run.Write($"{node.Name} is killed");
                var killed = run.Cluster.KillAsync(node.Name);
                run.FaultBegins(affected);
                await killed;
                await run.WaitUntilRestoredAsync(FaultCluster.StartBound);
                await run.RestartAsync(node.Name);
                break;
            case 1:
                run.Write($"{node.Name} is paused");
                node.Process!.Pause();
                run.FaultBegins(affected);
                await run.Load.RunForAsync(FaultTime);
                node.Process.Resume();
                break;
            case 2:
                run.Write($"{node.Name} is isolated");
                foreach (var other in run.Cluster.RunningNames.Append(FaultCluster.Client).Except([node.Name]))
                    run.Cluster.CutBoth(node.Name, other);
                run.FaultBegins(affected);
                await run.Load.RunForAsync(FaultTime);
                run.Cluster.HealAll();
                break;
            default:
                run.Write("a Consul server is killed");
                var server = await run.Cluster.Consul.FindLeaderAsync();
                await server.StopAsync();
                await run.Load.RunForAsync(FaultTime);
                await server.StartAgainAsync();
                break;
        }
    }
}
