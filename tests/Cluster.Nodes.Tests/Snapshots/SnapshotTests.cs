using Cluster.Nodes.Tests.Clusters;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Snapshots;

/// <summary>A cluster whose nodes save snapshots starts again with its values after all of its nodes have
/// ended.</summary>
[Trait("Case", "cluster-snapshots")]
public sealed class SnapshotTests(ITestOutputHelper output) : IDisposable
{
    private const int EntryCount = 200;
    private const int SnapshotUnusable = 4004;
    private const int Waits = 4007;
    private const int Shared = 4008;
    private const int LeftBehind = 5006;
    private const int Died = 5043;
    private const int Lost = 5044;

    private readonly TemporaryFolder _snapshots = new();

    public void Dispose() => _snapshots.Dispose();

    [Fact]
    public async Task Cluster_StoppedInOrderAsAWhole_StartsAgainWithEverything()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture, TimeSpan.FromMinutes(30));
        await FillAsync(nodes[0], EntryCount);
        var version = await nodes[0].Tallies.PutAsync("late", new Tally { Count = 7 });
        fixture.Logs.Allow(LeftBehind, Died, Lost, Waits);
        await Task.WhenAll(nodes.Select(node => node.StopAsync()));

        var restarted = await StartTwoAsync(fixture, TimeSpan.FromMinutes(30));
        await CheckFilledAsync(restarted[1], EntryCount);
        var late = await restarted[1].Tallies.GetWithVersionAsync("late");
        Assert.Equal((7, version), (late!.Value.Value.Count, late.Value.Version));
        Assert.All(restarted[0].Table.Partitions, entry => Assert.Equal(1, entry.LossCount));

        // Partitions without any value begin anew.
        Assert.InRange(restarted.Sum(node => node.Statistics.PartitionsRestored), PartitionCount / 2, PartitionCount);
        Assert.True(await restarted[0].Tallies.PutAsync("late", new Tally { Count = 8 }) > version);
    }

    /// <summary>A node has little time when it stops, and most partitions of a small cluster are empty.</summary>
    [Fact]
    public async Task Node_Stopped_HasSavedThePartitionsThatWereWrittenAlone()
    {
        await using var fixture = NewFixture();
        var node = await fixture.StartAsync("n1", options =>
        {
            Configure(options, TimeSpan.FromMilliseconds(300));
            (options.Backups, options.InitialNodeCount) = (0, 1);
        });
        await node.Tallies.PutAsync("one", new Tally { Count = 1 });
        await Eventually.TrueAsync(() => node.Statistics.SnapshotsSaved > 0, WaitBudget);
        await node.Tallies.RemoveAsync("one");
        fixture.Logs.Allow(LeftBehind, Waits);
        await node.StopAsync();
        Assert.Single(Files("n1", "0*.snapshot"));
        Assert.Equal(2, node.Statistics.SnapshotsSaved);
    }

    [Fact]
    [Trait("Case", "glue-55")]
    public async Task Cluster_KilledAsAWhole_StartsAgainWithItsNewestSnapshots()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture, TimeSpan.FromMilliseconds(300));
        await FillAsync(nodes[0], EntryCount);
        await SaveAsync(nodes);
        await KillAsync(fixture, nodes);

        // Each node has all partitions, and comes back with its files.
        var restarted = await StartTwoAsync(fixture, TimeSpan.FromMilliseconds(300));
        await CheckFilledAsync(restarted[0], EntryCount);

        // What was restored is saved and restored again.
        await restarted[0].Tallies.UpdateAsync("fill-3", new CountUp("test"));
        await SaveAsync(restarted);
        await KillAsync(fixture, restarted);
        var third = await StartTwoAsync(fixture, TimeSpan.FromMinutes(30));
        Assert.Equal(4, (await third[1].Tallies.GetAsync("fill-3"))?.Count);
    }

    [Fact]
    public async Task Cluster_OneOfTwoNodesComesBack_WaitsForTheOtherAndGoesOnWithoutIt()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture, TimeSpan.FromMilliseconds(300));
        await FillAsync(nodes[0], EntryCount);
        await SaveAsync(nodes);
        await KillAsync(fixture, nodes);

        var restoreTimeout = TimeSpan.FromSeconds(3);
        var begun = TimeProvider.System.GetTimestamp();
        var alone = await fixture.StartAsync("n2", options =>
        {
            Configure(options, TimeSpan.FromMinutes(30));
            options.InitialNodeCount = 1;
            options.RestoreTimeout = restoreTimeout;
        });
        var partitions = alone.Table.Partitions;

        // On a busy machine, the start itself may take longer than the node waits for the other one.
        if (TimeProvider.System.GetElapsedTime(begun) < restoreTimeout)
            Assert.All(partitions, entry => Assert.Equal(0, entry.LossCount));
        await CheckFilledAsync(alone, EntryCount);
        Assert.All(alone.Table.Partitions, entry => Assert.Equal(1, entry.LossCount));
    }

    [Fact]
    public async Task Cluster_AllFilesOfOneNodeAreDamaged_UsesThoseOfTheOtherAndKeepsTheDamagedOnes()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture, TimeSpan.FromMilliseconds(300));
        await FillAsync(nodes[0], EntryCount);
        await SaveAsync(nodes);
        await KillAsync(fixture, nodes);
        var damaged = Files("n1", "*.snapshot").Where(path => !path.EndsWith("layouts.snapshot", StringComparison.Ordinal))
            .ToArray();
        foreach (var path in damaged)
        {
            var bytes = await File.ReadAllBytesAsync(path);
            bytes[^9] ^= 1;
            await File.WriteAllBytesAsync(path, bytes);
        }

        fixture.Logs.Allow(SnapshotUnusable);
        var restarted = await StartTwoAsync(fixture, TimeSpan.FromMinutes(30));
        await CheckFilledAsync(restarted[0], EntryCount);
        Assert.Equal(damaged.Length, Files("n1", "*.failed").Length);
        Assert.Equal(damaged.Length, restarted[0].Statistics.SnapshotsFailed);
    }

    [Fact]
    public async Task Value_WhoseLifeEndsWhileTheClusterIsDown_IsGoneAfterwards()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture, TimeSpan.FromMinutes(30));
        await nodes[0].Tallies.PutAsync("brief", new Tally { Count = 1 }, StateExpiry.After(TimeSpan.FromSeconds(2)));
        await nodes[0].Tallies.PutAsync("lasting", new Tally { Count = 2 }, StateExpiry.After(TimeSpan.FromHours(1)));
        fixture.Logs.Allow(LeftBehind, Died, Lost, Waits);
        await Task.WhenAll(nodes.Select(node => node.StopAsync()));
        var stopped = TimeProvider.System.GetTimestamp();
        await Eventually.TrueAsync(
            () => TimeProvider.System.GetElapsedTime(stopped) > TimeSpan.FromSeconds(2), WaitBudget);

        var restarted = await StartTwoAsync(fixture, TimeSpan.FromMinutes(30));
        Assert.Equal(2, (await restarted[0].Tallies.GetAsync("lasting"))?.Count);
        Assert.Null(await restarted[0].Tallies.GetAsync("brief"));
    }

    /// <summary>Nobody is left who has written the layout, so its description comes from the folder.</summary>
    [Fact]
    public async Task Value_OfAnEarlierVersion_IsReadByTheNextOneAfterwards()
    {
        const string OldName = $"Cluster.Nodes.Tests.Snapshots.{nameof(OldNote)}, Cluster.Nodes.Tests";
        await using var fixture = NewFixture();
        var first = fixture.Create("n1", options => ConfigureAlone(options, _snapshots.Path))
            .AddState<OldNote>("notes", static _ => { });
        await first.StartAsync();
        await StateOf<OldNote>(first).PutAsync("a", new OldNote { Text = "tea", Stars = 5 });
        fixture.Logs.Allow(LeftBehind, Died, Lost, Waits);
        await first.StopAsync();

        var next = fixture.Create("n1", options => ConfigureAlone(options, _snapshots.Path))
            .AddState<NewNote>("notes", state => state.ConfigureTypes(types => types.Alias(OldName, typeof(NewNote))));
        await next.StartAsync();
        var read = await StateOf<NewNote>(next).GetAsync("a");
        Assert.Equal(("tea", 5L, null), (read!.Text, read.Stars, read.Place));

        static void ConfigureAlone(ClusterOptions options, string folder) => options.SnapshotFolder = folder;

        static IPartitionedState<string, TValue> StateOf<TValue>(TestNode node) =>
            node.Host.Services.GetRequiredService<IPartitionedState<string, TValue>>();
    }

    [Fact]
    public async Task Start_FolderIsWritableForOthers_IsRefusedWithTheRemedy()
    {
        if (OperatingSystem.IsWindows())
            return;
        await using var fixture = NewFixture();
        fixture.Logs.Allow(static _ => true);
        Directory.CreateDirectory(_snapshots.Path);
        File.SetUnixFileMode(_snapshots.Path, (UnixFileMode)0x1FF);
        var failure = await Assert.ThrowsAsync<ClusterStartException>(
            () => fixture.StartAsync("n1", options => Configure(options, TimeSpan.FromMinutes(1))));
        Assert.Equal(ClusterExitCode.ConfigurationInvalid, failure.ExitCode);
        Assert.Contains("chmod go-w", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:SnapshotFolder", failure.Remedy, StringComparison.Ordinal);

        await fixture.StartAsync("n2", options =>
        {
            Configure(options, TimeSpan.FromMinutes(1));
            options.AllowSharedFolder = true;
        });
        Assert.Contains(fixture.Logs.Entries, entry => entry.Event.Id == Shared);
    }

    [Fact]
    public async Task Start_WithoutANameOrWithAStoreInMemory_IsRefused()
    {
        await using var fixture = new ClusterFixture(StoreKind.File, output);
        fixture.Logs.Allow(static _ => true);
        var failure = await Assert.ThrowsAsync<ClusterStartException>(() => fixture.StartAsync("n1", options =>
        {
            options.SnapshotFolder = _snapshots.Path;
            options.NodeName = null;
            options.SnapshotInterval = TimeSpan.Zero;
            options.RestoreTimeout = TimeSpan.FromDays(1);
        }));
        Assert.Contains("Cluster:SnapshotFolder is set without Cluster:NodeName", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:SnapshotInterval is '00:00:00'", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Cluster:RestoreTimeout is '1.00:00:00'", failure.Message, StringComparison.Ordinal);
    }

    private ClusterFixture NewFixture() => new(StoreKind.File, output);

    private string[] Files(string node, string pattern) =>
        [.. Directory.EnumerateFiles(_snapshots.Path, pattern, SearchOption.AllDirectories)
            .Where(path => Path.GetFileName(Path.GetDirectoryName(path)) == node)];

    private void Configure(ClusterOptions options, TimeSpan interval)
    {
        options.Backups = 1;
        options.InitialNodeCount = 2;
        options.SnapshotFolder = _snapshots.Path;
        options.SnapshotInterval = interval;
    }

    private async Task<TestNode[]> StartTwoAsync(ClusterFixture fixture, TimeSpan interval)
    {
        var nodes = await Task.WhenAll(new[] { "n1", "n2" }
            .Select(name => fixture.StartAsync(name, options => Configure(options, interval))));
        await Eventually.TrueAsync(
            () => nodes.All(node => node.Table.Partitions.All(entry => entry is { Joining: null, InSync.Count: 2 })),
            WaitBudget,
            "two copies of each partition");
        return nodes;
    }

    private static async Task SaveAsync(TestNode[] nodes)
    {
        await Eventually.TrueAsync(() => nodes.All(HasAll), WaitBudget, "all entries on both nodes");
        await Task.WhenAll(nodes.Select(node => node.Store.SaveSnapshotsAsync(CancellationToken.None)));
    }

    // A backup learns a moment later what is committed, and saves only that. On a busy machine it may have lost its
    // place meanwhile, and a node saves nothing of a copy that does not count yet.
    private static bool HasAll(TestNode node) => node.OwnEntries == EntryCount
        && node.Statistics is var replicas
        && replicas.Serving + replicas.Backups == node.Table.Partitions.Length;

    // What a node logs while it is killed, and what the others say about it, concerns no test.
    private static async Task KillAsync(ClusterFixture fixture, TestNode[] nodes)
    {
        fixture.Logs.Allow(static entry => entry.Event.Id != SnapshotUnusable);
        foreach (var node in nodes)
            await node.DisposeAsync();
    }
}
