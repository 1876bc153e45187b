using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>The folder of the file store is damaged or replaced, while clients work.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class FolderTests(ITestOutputHelper output)
{
    private const string StoreUnusable = "[5032]";
    private const string StoreAway = "[5030]";
    private const string Deleted = "deleted";
    private static readonly TimeSpan Trouble = TimeSpan.FromSeconds(5);

    // A node looks at the store after a change of the version, or when its long poll of 30 s ends.
    private static readonly TimeSpan AlarmWithin = TimeSpan.FromSeconds(45);
    private static readonly TimeSpan NoGap = TimeSpan.FromSeconds(1.5);

    [RequiresUnixFact]
    [Trait("Case", "cluster-damaged-folder")]
    public async Task TableFile_DamagedAndPutBack_FailsNoOperation()
    {
        var settings = new FaultSettings { UsesFolder = true, FurtherNodes = 1 };
        await using var run = await FaultRun.BeginAsync(settings, output);
        var path = Path.Combine(run.Cluster.Folder!, "cluster", "table");
        var whole = await File.ReadAllBytesAsync(path);
        run.FaultBegins([]);
        foreach (var (what, damage) in new (string, Action)[]
        {
            ("corrupt", () => Replace(path, [.. whole[..^9], (byte)~whole[^9], .. whole[^8..]])),
            ("truncated", () => Replace(path, whole[..(whole.Length / 2)])),
            (Deleted, () => File.Delete(path)),
        })
        {
            run.Write($"the table is {what}");
            var alarms = CountAlarms(run);
            damage();
            await run.Load.RunForAsync(Trouble);
            run.Write($"{CountAlarms(run) - alarms} lines tell that the table is {what}");

            // Nodes watch the head of the file, and read the rest when its version changes.
            Assert.True(CountAlarms(run) > alarms || what != Deleted, "no node tells that the table is gone");
            Replace(path, whole);
            await run.Load.RunForAsync(Trouble);
        }

        // The store works again: a node can join.
        run.FaultEnds();
        var joining = run.Cluster.Nodes[3];
        run.Cluster.Start(joining.Name);
        await run.EndWithJoinAsync(joining, new FaultExpectations { MayLog = IsAlarm }, NoGap);
    }

    [RequiresUnixFact]
    [Trait("Case", "cluster-damaged-folder")]
    public async Task Folder_RemovedAndUsedByANewCluster_IsRefusedByTheOldNodes()
    {
        var settings = new FaultSettings { UsesFolder = true, FurtherNodes = 1 };
        await using var run = await FaultRun.BeginAsync(settings, output);
        var version = run.Cluster.Table.Version;
        run.FaultBegins([]);
        Directory.Delete(run.Cluster.Folder!, recursive: true);
        var stranger = run.Cluster.Nodes[3];
        run.Cluster.Start(stranger.Name, "--Cluster:InitialNodeCount=1");
        await stranger.WaitUntilStartedAsync(FaultCluster.StartBound);
        await Eventually.TrueAsync(
            () => run.Cluster.Nodes[..3].All(node => node.Process!.Lines.Any(IsAlarm)), AlarmWithin,
            "every old node tells it");
        await run.Load.RunForAsync(Trouble);
        Assert.Equal(version, run.Cluster.Table.Version);
        await run.Cluster.KillAsync(stranger.Name);
        await run.EndAsync(new FaultExpectations { MayLog = IsAlarm });
        run.CheckNothingFailed();
        run.CheckGap(run.All, NoGap, "any partition");
        run.CheckPrimaries();
    }

    // As a whole, as an operator puts a file back.
    private static void Replace(string path, byte[] content)
    {
        var next = path + ".next";
        File.WriteAllBytes(next, content);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(next, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        File.Move(next, path, overwrite: true);
    }

    private static int CountAlarms(FaultRun run) =>
        run.Cluster.Nodes.SelectMany(node => node.Processes).SelectMany(process => process.Lines).Count(IsAlarm);

    private static bool IsAlarm(string line) => new[] { StoreUnusable, StoreAway, "[5020]" }
        .Any(number => line.Contains(number, StringComparison.Ordinal));
}
