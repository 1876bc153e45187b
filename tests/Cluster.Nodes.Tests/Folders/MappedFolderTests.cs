using Cluster.Nodes.Configuration;
using Cluster.Nodes.Tests.Clusters;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Folders;

/// <summary>Nodes whose memory lies in folders come back with what they had, and get only what has changed.</summary>
[Trait("Case", "cluster-mapped")]
public sealed class MappedFolderTests(ITestOutputHelper output) : IDisposable
{
    private const int EntryCount = 300;
    private const int Attached = 4009;

    private readonly TemporaryFolder _folders = new();

    public void Dispose() => _folders.Dispose();

    [Fact]
    [Trait("Case", "glue-55")]
    public async Task Node_EndsAndComesBack_GetsWhatHasChangedAndServesIt()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture);
        await FillAsync(nodes[0], EntryCount);
        await WaitUntilCommittedAsync(nodes);
        await EndSecondAsync(fixture, nodes);

        // The server of a node that is being disposed refuses calls for a moment.
        await Eventually.TrueAsync(
            () => nodes[0].Table.Partitions.All(entry => entry.Primary == SlotOf(nodes[0], nodes[0])), WaitBudget);
        await nodes[0].Tallies.PutAsync("fill-3", new Tally { Count = 33 });
        await nodes[0].Tallies.PutAsync("late", new Tally { Count = 7 });
        Assert.True(await nodes[0].Tallies.RemoveAsync("fill-4"));

        var second = await StartAsync(fixture, "n2");
        await WaitUntilCopiedAsync(nodes[0], second);
        var got = second.Statistics;
        output.WriteLine($"{got}");
        Assert.Contains(fixture.Logs.Entries, entry => entry.Event.Id == Attached);
        Assert.InRange(got.DifferencesReceived, PartitionCount * 9 / 10, PartitionCount);
        Assert.Equal((0, PartitionCount), (got.KeptDropped, got.CopiesReceived));
        Assert.True(got.CopyBytesReceived < got.KeptBytesUsed / 10, $"{got.CopyBytesReceived} bytes came");

        // Nobody else has the values now.
        await EndAsync(fixture, nodes[0]);
        await Eventually.TrueAsync(
            () => second.Table.Partitions.All(entry => entry.Primary == SlotOf(second, second)), WaitBudget);
        Assert.Equal(33, (await second.Tallies.GetAsync("fill-3"))?.Count);
        Assert.Equal(7, (await second.Tallies.GetAsync("late"))?.Count);
        Assert.Null(await second.Tallies.GetAsync("fill-4"));
        for (var index = 5; index < EntryCount; index++)
            Assert.Equal(index, (await second.Tallies.GetAsync($"fill-{index}"))?.Count);
        Assert.All(second.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    /// <summary>A node that is stopped in order hands over, so it has nothing to come back with.</summary>
    [Fact]
    public async Task Node_StoppedInOrder_ComesBackAndGetsCopies()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture);
        await FillAsync(nodes[0], EntryCount);
        await nodes[1].StopAsync();
        var second = await StartAsync(fixture, "n2");
        await WaitUntilCopiedAsync(nodes[0], second);
        await CheckFilledAsync(second, EntryCount);
        Assert.Equal(PartitionCount, second.Statistics.CopiesReceived);
    }

    /// <summary>A folder is no evidence that a value is what clients were told last.</summary>
    [Fact]
    [Trait("Case", "glue-55")]
    public async Task Node_ComesBackAlone_BeginsEmptyAndTheLossIsCounted()
    {
        await using var fixture = NewFixture();
        var first = await StartAsync(fixture, "n1", nodeCount: 1);
        await FillAsync(first, EntryCount);
        await EndAsync(fixture, first);
        var again = await StartAsync(fixture, "n1", nodeCount: 1);
        Assert.Null(await again.Tallies.GetAsync("fill-1"));
        Assert.All(again.Table.Partitions, entry => Assert.Equal(1, entry.LossCount));
        await Eventually.TrueAsync(() => again.Statistics is { Kept: 0, Dropping: 0 }, WaitBudget);
        Assert.Equal(0, again.OwnEntries);
    }

    [Fact]
    public async Task Start_FolderOfAnotherNodeOrCluster_IsRefusedAndNamesBoth()
    {
        string first;
        await using (var fixture = NewFixture())
        {
            fixture.Logs.Allow(static _ => true);
            var node = await StartAsync(fixture, "n1", nodeCount: 1);
            first = $"{node.Table.Members[0].Node.Name}";
            var inUse = await Assert.ThrowsAsync<ClusterStartException>(() => StartIn(fixture, "n2", "n1"));
            Assert.Contains("another pile has this folder attached (process ", inUse.Message, StringComparison.Ordinal);
            Assert.Contains("Cluster:MappedFolder", inUse.Remedy, StringComparison.Ordinal);
            await node.StopAsync();
            var other = await Assert.ThrowsAsync<ClusterStartException>(() => StartIn(fixture, "n2", "n1"));
            Assert.Equal(ClusterExitCode.ConfigurationInvalid, other.ExitCode);
            Assert.Contains($"belongs to node '{first}', and this node is 'n2'", other.Message, StringComparison.Ordinal);

            // The refusal has changed nothing.
            await StartAsync(fixture, "n1", nodeCount: 1);
        }

        await using var foreign = NewFixture();
        foreign.Logs.Allow(static _ => true);
        var refused = await Assert.ThrowsAsync<ClusterStartException>(() => StartIn(foreign, "n1", "n1"));
        Assert.Matches("belongs to cluster [0-9a-f]{32}, and this node to cluster [0-9a-f]{32}", refused.Message);
    }

    [Fact]
    public async Task Start_FolderIsDamaged_IsRefused_AndWithoutItTheNodeGetsCopies()
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture);
        await FillAsync(nodes[0], EntryCount);
        await EndSecondAsync(fixture, nodes);
        var header = Path.Combine(FolderOf("n2"), "header");
        var bytes = await File.ReadAllBytesAsync(header);
        bytes[20] ^= 1;
        await File.WriteAllBytesAsync(header, bytes);
        fixture.Logs.Allow(static _ => true);
        var refused = await Assert.ThrowsAsync<ClusterStartException>(() => StartAsync(fixture, "n2"));
        Assert.Contains("header", refused.Message, StringComparison.Ordinal);
        Assert.Contains("delete it", refused.Remedy, StringComparison.Ordinal);

        Directory.Delete(FolderOf("n2"), recursive: true);
        var second = await StartAsync(fixture, "n2");
        await WaitUntilCopiedAsync(nodes[0], second);
        Assert.Equal((PartitionCount, 0), (second.Statistics.CopiesReceived, second.Statistics.DifferencesReceived));
        await CheckFilledAsync(second, EntryCount);
    }

    /// <summary>Without marks, nothing is certain about the records.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Start_MarksAreGoneOrOfAnotherPile_DropsTheRecords(bool isGone)
    {
        await using var fixture = NewFixture();
        var nodes = await StartTwoAsync(fixture);
        await FillAsync(nodes[0], EntryCount);
        await EndSecondAsync(fixture, nodes);
        var marks = Path.Combine(FolderOf("n2"), "marks");
        if (isGone)
            File.Delete(marks);
        else
            File.Copy(Path.Combine(FolderOf("n1"), "marks"), marks, overwrite: true);
        var second = await StartAsync(fixture, "n2");
        await WaitUntilCopiedAsync(nodes[0], second);
        Assert.Equal((PartitionCount, 0), (second.Statistics.CopiesReceived, second.Statistics.DifferencesReceived));
        await CheckFilledAsync(second, EntryCount);
    }

    [Fact]
    public async Task Start_WithoutANameOrWithAStoreInMemory_IsRefused()
    {
        await using var fixture = NewFixture();
        fixture.Logs.Allow(static _ => true);
        var failure = await Assert.ThrowsAsync<ClusterStartException>(() => fixture.StartAsync("n1", options =>
        {
            options.MappedFolder = _folders.Path;
            options.NodeName = null;
        }));
        Assert.Contains("Cluster:MappedFolder is set without Cluster:NodeName", failure.Message, StringComparison.Ordinal);
        failure = await Assert.ThrowsAsync<ClusterStartException>(
            () => fixture.StartAsync("n1", options => options.MappedFolder = " "));
        Assert.Contains("Cluster:MappedFolder is ' '", failure.Message, StringComparison.Ordinal);
    }

    private ClusterFixture NewFixture() => new(StoreKind.File, output);

    private string FolderOf(string name) => Path.Combine(_folders.Path, name);

    private Task<TestNode> StartAsync(ClusterFixture fixture, string name, int nodeCount = 2) =>
        fixture.StartAsync(name, options => Configure(options, name, nodeCount));

    private Task<TestNode> StartIn(ClusterFixture fixture, string name, string folder) =>
        fixture.StartAsync(name, options => Configure(options, folder, nodeCount: 1));

    private void Configure(ClusterOptions options, string folder, int nodeCount)
    {
        options.Backups = 1;
        options.InitialNodeCount = nodeCount;
        options.MappedFolder = FolderOf(folder);
    }

    private async Task<TestNode[]> StartTwoAsync(ClusterFixture fixture)
    {
        var nodes = await Task.WhenAll(StartAsync(fixture, "n1"), StartAsync(fixture, "n2"));
        await WaitUntilCopiedAsync(nodes);
        return nodes;
    }

    private static Task WaitUntilCopiedAsync(params TestNode[] nodes) => Eventually.TrueAsync(
        () => nodes.All(watcher => nodes.All(node => watcher.Table.Partitions.All(entry =>
            entry is { Joining: null, InSync.Count: 2 } && SlotOf(node, watcher) is { } slot && entry.InSync.Contains(slot)))),
        WaitBudget,
        "two copies of each partition");

    // A node that comes back is another member.
    private static NodeSlot? SlotOf(TestNode node, TestNode watcher) =>
        watcher.Table.FindMember(node.Host.Services.GetRequiredService<NodeIdentity>().Node)?.Slot;

    // A backup learns a moment later what is committed.
    private static Task WaitUntilCommittedAsync(TestNode[] nodes) =>
        Eventually.TrueAsync(() => nodes.All(node => node.OwnEntries == EntryCount), WaitBudget);

    // On a busy machine a node goes on without a backup that is slow, and then a partition ends with the node.
    private static async Task EndSecondAsync(ClusterFixture fixture, TestNode[] nodes)
    {
        await WaitUntilCopiedAsync(nodes);
        await EndAsync(fixture, nodes[1]);
    }

    // A node that is disposed without being stopped logs errors, and so do the others. No test looks at these.
    private static async Task EndAsync(ClusterFixture fixture, TestNode node)
    {
        fixture.Logs.Allow(static _ => true);
        await node.DisposeAsync();
    }
}
