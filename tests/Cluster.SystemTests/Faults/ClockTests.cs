using Cluster.StateStore;
using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes whose clocks run at different rates and jump, while clients work and a node is paused.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class ClockTests(ITestOutputHelper output)
{
    private const int HourSeconds = 3_600;
    private const int KeysOfALife = 500;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan BetweenJumps = TimeSpan.FromSeconds(5);

    // The grace is 4.5 s of a clock that runs at four fifths of true time, and half a second is the wait for the
    // coordinator.
    private static readonly TimeSpan GapWithSlowClocks = TimeSpan.FromSeconds(7.5);

    // A life that must not end although the clocks of two nodes differ by two hours.
    private static readonly TimeSpan LongLife = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(12);

    // An eighth of the short life, and a little time.
    private static readonly TimeSpan EndNoticed = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan RestoredWithin = TimeSpan.FromSeconds(15);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F23")]
    [Trait("Case", "glue-90")]
    public Task ClocksThatJumpAndDrift_HarmNothing_Short() => CheckAsync(rounds: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F23")]
    [Trait("Case", "glue-90")]
    public Task ClocksThatJumpAndDrift_HarmNothing() => CheckAsync(rounds: 5);

    /// <summary>The time of a partition goes on evenly, whatever the wall clocks of its owners say.</summary>
    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-clocks-and-lives")]
    public Task ClocksTwoHoursApart_EndOnlyTheLivesThatAreOver_Short() => CheckLivesAsync(rounds: 1);

    [RequiresConsulFact]
    [Trait("Case", "cluster-clocks-and-lives")]
    public Task ClocksTwoHoursApart_EndOnlyTheLivesThatAreOver() => CheckLivesAsync(rounds: 5);

    private async Task CheckLivesAsync(int rounds)
    {
        var settings = new FaultSettings
        {
            ClockRates = new Dictionary<string, int> { ["n1"] = 100, ["n2"] = 100, ["n3"] = 100 },
        };
        await using var run = await FaultRun.BeginAsync(settings, output);
        Dictionary<string, int> shifts = new() { ["n2"] = HourSeconds, ["n3"] = -HourSeconds };
        run.FaultBegins([]);
        foreach (var (name, seconds) in shifts)
            await ShiftAsync(run.Cluster[name], seconds);
        for (var round = 1; round <= rounds; round++)
        {
            await PutAsync(run, "long", LongLife);
            await PutAsync(run, "short", ShortLife);
            Assert.Equal(KeysOfALife, await CountAsync(run, "short"));
            await run.Load.RunForAsync(ShortLife + EndNoticed);
            Assert.Equal((0, KeysOfALife), (await CountAsync(run, "short"), await CountAsync(run, "long")));

            // The clock that is ahead goes, then the one that is behind; each comes back to its share.
            foreach (var (name, seconds) in shifts)
            {
                await run.Cluster.KillAsync(name);
                await run.WaitUntilRestoredAsync(RestoredWithin);
                Assert.Equal(KeysOfALife, await CountAsync(run, "long"));
                await run.RestartAsync(name);
                await ShiftAsync(run.Cluster[name], seconds);
                Assert.Equal(KeysOfALife, await CountAsync(run, "long"));
            }
        }

        await run.EndAsync();
    }

    private static async Task PutAsync(FaultRun run, string prefix, TimeSpan life)
    {
        var writes = KeysOf(prefix).Select(key =>
            run.Cluster.Counters.PutAsync(key, new Counter(), StateExpiry.After(life)).AsTask());
        await Task.WhenAll(writes);
    }

    private static async Task<int> CountAsync(FaultRun run, string prefix) =>
        (await run.Cluster.Counters.GetManyAsync(KeysOf(prefix))).Count;

    private static IEnumerable<string> KeysOf(string prefix) =>
        Enumerable.Range(0, KeysOfALife).Select(number => $"{prefix} {number}");

    private async Task CheckAsync(int rounds)
    {
        var settings = new FaultSettings
        {
            ClockRates = new Dictionary<string, int> { ["n1"] = 100, ["n2"] = 80, ["n3"] = 120 },
            NodeSettings = ["--Cluster:MaxClockSkew=01:00:00"],
        };
        await using var run = await FaultRun.BeginAsync(settings, output);
        for (var round = 1; round <= rounds; round++)
        {
            foreach (var (name, seconds) in new[]
            {
                ("n1", HourSeconds), ("n2", -HourSeconds), ("n3", HourSeconds),
                ("n1", -HourSeconds), ("n2", HourSeconds), ("n3", 0),
            })
            {
                run.FaultBegins(run.PartitionsOf(name));
                await ShiftAsync(run.Cluster[name], seconds);
                await run.Load.RunForAsync(BetweenJumps);
            }

            // The clock of the second node is the slowest: its lease lasts longest in true time.
            var paused = run.Cluster["n2"];
            int[] affected = [.. run.PartitionsOf("n2"), .. run.BackupsOf("n2")];
            paused.Process!.Pause();
            run.FaultBegins(affected);
            await run.Load.RunForAsync(Pause);
            paused.Process.Resume();
            run.FaultEnds();
            run.Load.Probe(affected);
            await run.WaitUntilRestoredAsync(FaultCluster.StartBound);
            await run.Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        }

        await run.EndAsync();
        run.CheckGap(run.All, GapWithSlowClocks, "any partition");
    }

    private static async Task ShiftAsync(FaultNode node, int seconds)
    {
        var line = string.Create(CultureInfo.InvariantCulture, $"{HostLines.Shift} {seconds}");
        var before = Count();
        await node.WriteAsync(line);
        await Eventually.TrueAsync(() => Count() > before, FaultCluster.StartBound, line);

        int Count() => node.Process!.Lines.Count(told => told == line);
    }
}
