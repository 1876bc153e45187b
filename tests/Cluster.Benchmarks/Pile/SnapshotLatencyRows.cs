using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>How long changes take beside a save, over the same changes without one: random updates of objects of 64
/// bytes by one thread, for as long as a save takes, in turn with and without. The median of the rounds
/// counts.</summary>
internal static class SnapshotLatencyRows
{
    private const int Rounds = 9;
    private const int Size = 64;
    private const int ChangesPerLook = 64;
    private const int SampleCountMax = 8_000_000;

    public static void Run(BenchmarkRun run)
    {
        var count = run.Size("snapshot.p99");
        using var folder = new MemoryFolder("cluster-snapshot-latency");

        // Updates all over the pile want a log for all of it: before the save is through, they have met every block.
        using var set = new PileSet(count, Size, spareFactor: 4, snapshotLogBytes: count * Size * 3);
        var random = new Random(7);
        var (without, with) = (new List<long>(SampleCountMax), new List<long>(SampleCountMax));
        var (p99, p999) = (new List<double>(), new List<double>());
        for (var round = -1; round < Rounds; round++)
        {
            var save = set.Pile.SaveAsync(folder.Path);
            var began = Stopwatch.GetTimestamp();
            Change(set, random, with, () => !save.IsCompleted);
            save.GetAwaiter().GetResult();
            var time = Stopwatch.GetElapsedTime(began);
            began = Stopwatch.GetTimestamp();
            Change(set, random, without, () => Stopwatch.GetElapsedTime(began) < time);

            // The first time, code is compiled and memory touched.
            if (round < 0)
                continue;
            p99.Add(PartOf(with, 0.99) / PartOf(without, 0.99));
            p999.Add(PartOf(with, 0.999) / PartOf(without, 0.999));
        }

        run.Report("snapshot.p99", Race.Median([.. p99]));
        run.Report("snapshot.p999", Race.Median([.. p999]));
    }

    private static void Change(PileSet set, Random random, List<long> ticks, Func<bool> goesOn)
    {
        ticks.Clear();
        var before = Stopwatch.GetTimestamp();
        while (ticks.Count < SampleCountMax - ChangesPerLook && goesOn())
        {
            for (var i = 0; i < ChangesPerLook; i++)
            {
                set.Pile.Put(set.Pointers[random.Next(set.Pointers.Length)], set.Payload);
                var now = Stopwatch.GetTimestamp();
                ticks.Add(now - before);
                before = now;
            }
        }

        ticks.Sort();
    }

    private static double PartOf(List<long> sorted, double part) => sorted[(int)(sorted.Count * part)];
}
