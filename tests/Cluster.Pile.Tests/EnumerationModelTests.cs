using Xunit.Abstractions;

namespace Cluster.Pile.Tests;

/// <summary>Acceptance case 14 of the pile: whatever other threads do, a scan meets every object that lives through it
/// exactly once.</summary>
[Trait("Case", "pile-14")]
public sealed class EnumerationModelTests(ITestOutputHelper output)
{
    // One percent of the ten million objects of the case; the soak form holds them all.
    private const int ObjectsShort = 100_000;
    private const int ObjectsLong = 10_000_000;
    private static readonly TimeSpan ProofWait = TimeSpan.FromMinutes(1);

    [Fact]
    public void Scans_BesideAllChanges_MeetWhatLivesThroughThemOnce()
    {
        using var pile = Piles.Create(96 * Piles.MiB);
        Run(pile, new EnumerationModel(pile, mutators: 3, purges: false), ObjectsShort, scans: 8);
        PileChecks.CountersAgree(pile);
    }

    [Fact]
    public void Scans_BesidePurges_MeetWhatLivesThroughThemOnce()
    {
        using var pile = Piles.Create(48 * Piles.MiB);
        Run(pile, new EnumerationModel(pile, mutators: 2, purges: true), objects: 0, scans: 40);
        PileChecks.CountersAgree(pile);
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void ManyScans_OfTenMillion_MeetWhatLivesThroughThemOnce()
    {
        using var pile = Piles.Create(1536 * Piles.MiB);
        Run(pile, new EnumerationModel(pile, mutators: 3, purges: false), ObjectsLong, scans: 20);
        for (var round = 0; round < 20; round++)
        {
            // A purge ends the objects that shall stay, too.
            var purges = round % 2 == 0;
            using var small = Piles.Create(48 * Piles.MiB);
            Run(small, new EnumerationModel(small, mutators: 3, purges), objects: purges ? 0 : 20_000, scans: 300);
        }
    }

    private void Run(LocalPile pile, EnumerationModel model, int objects, int scans)
    {
        model.PutStable(objects);
        model.Start();
        var (met, proven, scanned) = (0L, 0L, 0L);
        var started = Stopwatch.GetTimestamp();
        try
        {
            // More than asked for where the machine is too busy for the threads to have changed anything meanwhile.
            while (scanned < scans || (!HasProof() && Stopwatch.GetElapsedTime(started) < ProofWait))
            {
                var scan = model.Scan();
                (met, proven, scanned) = (met + scan.Met, proven + scan.Proven, scanned + 1);
            }
        }
        finally
        {
            model.Stop();
        }

        output.WriteLine($"{scanned} scans over {objects:N0} objects that stay and others that come and go met "
            + $"{met:N0}; {proven:N0} were known to live through theirs. "
            + $"{Stopwatch.GetElapsedTime(started).TotalSeconds:F2} s");
        Assert.True(proven > scanned * objects, "Some of the others lived through a scan, too.");
        Assert.True(model.Deaths > 0, "Objects died meanwhile.");
        Assert.Equal(pile.GetStatistics().Objects, EnumerationTests.Scan(pile).Count);

        bool HasProof() => proven > scanned * objects && model.Deaths > 0;
    }
}
