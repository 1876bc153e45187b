using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>All node processes of a cluster end, and start again. Its table is in Consul, its values in the snapshots of
/// the nodes.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
[Trait("Case", "cluster-snapshots")]
public sealed class ColdStartTests(ITestOutputHelper output) : IDisposable
{
    private const int KeyCount = 2_000;
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan StopBound = TimeSpan.FromMinutes(1);

    // The partitions wait for all three nodes, which then load their files.
    private static readonly TimeSpan BackWithin = TimeSpan.FromSeconds(60);

    private readonly DirectoryInfo _snapshots = Directory.CreateTempSubdirectory("cluster-snapshots-");

    public void Dispose() => _snapshots.Delete(recursive: true);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "glue-55")]
    [Trait("Case", "experience-X7")]
    public async Task KillOfAllNodes_RestoresTheNewestSnapshots_Short()
    {
        await using var cluster = await StartAsync();
        await FillAsync(cluster, number: 1);
        await WaitUntilSavedAsync();
        await Task.WhenAll(cluster.Nodes.Select(node => cluster.KillAsync(node.Name)));
        await StartAgainAsync(cluster);
        Assert.Equal(0, await CountOthersAsync(cluster, number: 1));
        Assert.Empty(cluster.Nodes.SelectMany(node => node.FindErrors()));
    }

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "experience-X7")]
    public async Task StopOfAllNodes_LosesNothing_Short()
    {
        await using var cluster = await StartAsync();
        await FillAsync(cluster, number: 1);
        await WaitUntilSavedAsync();

        // No interval passes between the last write and the stop.
        await FillAsync(cluster, number: 2);
        foreach (var node in cluster.Nodes)
            node.Process!.Send(ProcessSignal.Terminate);
        await Task.WhenAll(cluster.Nodes.Select(node => node.Process!.WaitForExitAsync(StopBound)));
        await StartAgainAsync(cluster);
        Assert.Equal(0, await CountOthersAsync(cluster, number: 2));
        Assert.Empty(cluster.Nodes.SelectMany(node => node.FindErrors()));
    }

    private Task<FaultCluster> StartAsync() => FaultCluster.StartAsync(
        new FaultSettings
        {
            NodeSettings =
            [
                $"--Cluster:SnapshotFolder={_snapshots.FullName}",
                $"--Cluster:SnapshotInterval={Interval}",
            ],
        },
        output);

    private static async Task FillAsync(FaultCluster cluster, long number) => await Parallel.ForEachAsync(
        Enumerable.Range(0, KeyCount),
        async (key, token) => await cluster.Kept.PutAsync(
            key, new Counter { Number = number }, cancellationToken: token));

    // A partition that has not changed since its last snapshot is not saved again. So all is saved when no file has
    // changed for some intervals.
    private Task WaitUntilSavedAsync() => Eventually.TrueAsync(
        () =>
        {
            var files = _snapshots.GetFiles("0*.snapshot", SearchOption.AllDirectories);
            return files.Length > 0
                && files.All(file => TimeProvider.System.GetUtcNow() - file.LastWriteTimeUtc > 5 * Interval);
        },
        StopBound,
        "all partitions are saved");

    private async Task StartAgainAsync(FaultCluster cluster)
    {
        var began = TimeProvider.System.GetTimestamp();
        foreach (var node in cluster.Nodes)
            cluster.Start(node.Name);
        foreach (var node in cluster.Nodes)
            await node.WaitUntilStartedAsync(FaultCluster.StartBound);
        await cluster.WaitUntilReplicatedAsync(BackWithin);
        output.WriteLine(
            $"all copies again {TimeProvider.System.GetElapsedTime(began).TotalSeconds:0.0} s after the start");
        Assert.All(cluster.Table.Partitions, entry => Assert.Equal(1, entry.LossCount));
    }

    private static async Task<int> CountOthersAsync(FaultCluster cluster, long number)
    {
        var others = 0;
        for (var key = 0L; key < KeyCount; key++)
        {
            if ((await cluster.Kept.GetAsync(key))?.Number != number)
                others++;
        }

        return others;
    }
}
