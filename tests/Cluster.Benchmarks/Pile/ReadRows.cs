using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>Reads of 64 bytes into a span, hot and cold, and the collector's cost of what they read.</summary>
internal static class ReadRows
{
    private const int Size = 64;
    private const int HotReads = 4_000_000;
    private const int ColdReads = 1_000_000;
    private const int BatchReads = 1000;
    private const int Collections = 20;

    public static void RunHot(BenchmarkRun run)
    {
        using var set = new PileSet(run.Size("read.64.hot"), Size);
        var buffer = new byte[Size];
        var seconds = Rounds.MedianSeconds(() => () =>
        {
            for (var i = 0; i < HotReads;)
            {
                foreach (var pointer in set.Pointers)
                {
                    set.Pile.Read(pointer, buffer);
                    i++;
                }
            }
        });
        run.Report("read.64.hot", HotReads / seconds[0] / 1e6);
    }

    public static void RunCold(BenchmarkRun run)
    {
        using var set = new PileSet(run.Size("read.64.cold"), Size);
        var random = new Random(1);
        var order = new int[ColdReads];
        for (var i = 0; i < order.Length; i++)
            order[i] = random.Next(set.Pointers.Length);
        var buffer = new byte[Size];
        var seconds = Rounds.MedianSeconds(() => () =>
        {
            foreach (var index in order)
                set.Pile.Read(set.Pointers[index], buffer);
        });
        run.Report("read.64.cold", ColdReads / seconds[0] / 1e6);
        ReportMany(run, set, order);
        if (run.Wants("gc.full"))
            run.Report("gc.full", 1000 * CollectionSeconds(), set.Pointers.Length);
        if (run.Wants("gc.full.dictionary"))
            RunCollectorRivals(run);
    }

    private static void ReportMany(BenchmarkRun run, PileSet set, int[] order)
    {
        PilePointer[] pointers = [.. order.Select(index => set.Pointers[index])];
        var destination = new byte[BatchReads * Size];
        var lengths = new int[BatchReads];
        var seconds = Rounds.MedianSeconds(() => () =>
        {
            for (var i = 0; i < pointers.Length; i += BatchReads)
                set.Pile.GetMany(pointers.AsSpan(i, BatchReads), destination, lengths);
        });
        run.Report("getmany.64.cold", pointers.Length / seconds[0] / 1e6);
    }

    private static void RunCollectorRivals(BenchmarkRun run)
    {
        var count = run.Size("gc.full.dictionary");
        double ours;
        using (new PileSet(count, Size))
            ours = CollectionSeconds();
        var rival = new Dictionary<long, byte[]>();
        for (long key = 0; key < count; key++)
            rival[key] = new byte[Size];
        run.Report("gc.full.dictionary", ours / CollectionSeconds());
        GC.KeepAlive(rival);
    }

    private static double CollectionSeconds()
    {
        GC.Collect();
        var seconds = new double[Collections];
        for (var i = 0; i < Collections; i++)
        {
            var started = System.Diagnostics.Stopwatch.GetTimestamp();
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            seconds[i] = System.Diagnostics.Stopwatch.GetElapsedTime(started).TotalSeconds;
        }

        return Race.Median(seconds);
    }
}
