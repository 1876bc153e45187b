using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Cluster.Testing.Faults;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes whose memory lies in folders are killed under load, and come back with their folders.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
[Trait("Case", "cluster-mapped")]
public sealed class RejoinTests(ITestOutputHelper output) : IDisposable
{
    private const int BallastCount = 2_000;
    private const int BallastBytes = 10_000;
    private const int KillsInFull = 8;
    private const int KillsInShort = 2;

    private static readonly TimeSpan RestoredWithin = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folders = Directory.CreateTempSubdirectory("cluster-folders-");

    public void Dispose() => _folders.Delete(recursive: true);

    /// <summary>The node is back before its peers have given it up.</summary>
    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    public Task KilledNode_BackWithinTheGrace_GetsTheDifference_Short() =>
        CheckAsync(KillsInShort, hasProof: false, TimeSpan.Zero);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    public Task KilledNode_BackAfterTheGrace_GetsTheDifference_Short() =>
        CheckAsync(KillsInShort, hasProof: true, TimeSpan.FromSeconds(6));

    [RequiresConsulFact]
    public Task KilledNode_BackWithinTheGrace_GetsTheDifference() =>
        CheckAsync(KillsInFull, hasProof: false, TimeSpan.Zero);

    [RequiresConsulFact]
    public Task KilledNode_BackAfterTheGrace_GetsTheDifference() =>
        CheckAsync(KillsInFull, hasProof: true, TimeSpan.FromSeconds(6));

    // Every node has a copy of everything, so that it gets the same partitions again.
    private async Task CheckAsync(int kills, bool hasProof, TimeSpan away)
    {
        var settings = new FaultSettings
        {
            Backups = 2,
            HasProofOfDeath = hasProof,
            MappedFolders = _folders.FullName,
        };
        await using var run = await FaultRun.BeginAsync(settings, output);
        await run.FillAsync(BallastCount, BallastBytes);
        for (var kill = 0; kill < kills; kill++)
        {
            var victim = run.Cluster.Nodes[kill % run.Cluster.Nodes.Length].Name;
            int[] affected = [.. run.PartitionsOf(victim), .. run.BackupsOf(victim)];
            var killed = run.Cluster.KillAsync(victim);
            run.FaultBegins(affected);
            await killed;
            if (away > TimeSpan.Zero)
                await run.Load.RunForAsync(away);
            run.Cluster.Start(victim);
            await run.Cluster[victim].WaitUntilStartedAsync(FaultCluster.StartBound);
            await run.WaitUntilRestoredAsync(RestoredWithin);
            var counts = await ReadCountsAsync(run.Cluster[victim], settings.PartitionCount);
            run.Write($"{victim} is back: {counts}");
            CheckCounts(counts, settings);
        }

        await run.EndAsync();
    }

    // The node counts its copies when it knows the table that this process has waited for.
    private static async Task<CopyCounts> ReadCountsAsync(FaultNode node, int partitionCount)
    {
        CopyCounts? counts = null;
        await Eventually.TrueAsync(
            async () => (counts = await node.ReadCopiesAsync(RestoredWithin)).Copies >= partitionCount, RestoredWithin);
        return counts!;
    }

    // Who was primary for all of the ballast depends on earlier kills, but each node has a copy of all of it.
    private static void CheckCounts(CopyCounts counts, FaultSettings settings)
    {
        Assert.InRange(counts.Differences, settings.PartitionCount * 9 / 10, settings.PartitionCount * 2);
        Assert.True(counts.KeptBytes > (long)BallastCount * BallastBytes * 9 / 10, $"{counts}");
        Assert.True(counts.Bytes < (long)BallastCount * BallastBytes / 4, $"{counts}");
    }
}
