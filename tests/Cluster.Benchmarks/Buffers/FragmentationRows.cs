using Cluster.Benchmarks.Harness;
using Cluster.Buffers;
using Cluster.Pile.Hosting;

namespace Cluster.Benchmarks.Buffers;

/// <summary>The fragmentation test of jemalloc.NET: 100 steps, each with a large block that grows and is freed, and a
/// small one that is kept. Each form has a budget of its own, so that none uses memory that another has
/// touched.</summary>
internal static class FragmentationRows
{
    private const int Steps = 100;
    private const int LargeGrowth = 1 << 20;
    private const int SmallLength = 90_000;
    private const int MeasureEvery = 10;
    private const int ManagedEvery = 25;
    private const int Repetitions = 5;
    private const double MiB = 1 << 20;

    public static void RunUntouched(BenchmarkRun run)
    {
        const string Row = "fragmentation.untouched";
        run.Report(Row, MedianUntouched((int)run.Size(Row)) * 1000);
    }

    public static void RunTouched(BenchmarkRun run)
    {
        const string Row = "fragmentation.touched";
        var (seconds, peak) = Measure((int)run.Size(Row), touched: true);
        run.Report(Row, seconds);
        run.Report("fragmentation.peak", peak / MiB);
    }

    public static void RunManaged(BenchmarkRun run)
    {
        const string Row = "fragmentation.untouched.managed";
        var large = (int)run.Size(Row);
        run.Report(Row, MedianUntouched(large) / MeasureManaged(large));
    }

    private static double MedianUntouched(int large) =>
        Race.Median([.. Enumerable.Range(0, Repetitions).Select(_ => Measure(large, touched: false).Seconds)]);

    private static (double Seconds, long PeakBytes) Measure(int largeLength, bool touched)
    {
        var budget = new BufferBudget("fragmentation", SystemMemory.OfThisProcess, 1L << 30)
        {
            ReserveBytes = 1L << 30,
        };
        var kept = new SafeArray<int>[Steps];
        var before = ProcessMemory.ResidentBytes();
        var peak = before;
        var watch = Stopwatch.StartNew();
        for (var step = 0; step < Steps; step++)
        {
            using var large = new SafeArray<int>(
                budget.Heap, largeLength + (step * LargeGrowth), BufferFill.Uninitialized);
            kept[step] = new SafeArray<int>(budget.Heap, SmallLength, BufferFill.Uninitialized);
            if (!touched)
                continue;
            large.Fill(step);
            kept[step].Fill(step);
            if (step % MeasureEvery != 0 && step != Steps - 1)
                continue;
            watch.Stop();
            peak = Math.Max(peak, ProcessMemory.ResidentBytes());
            watch.Start();
        }

        watch.Stop();
        foreach (var small in kept)
            small.Dispose();
        budget.Close();
        return (watch.Elapsed.TotalSeconds, peak - before);
    }

    // Every 25th step, extrapolated: the runtime clears each block, half a second a step where memory is slow.
    private static double MeasureManaged(int largeLength)
    {
        var kept = new int[Steps][];
        var started = Stopwatch.GetTimestamp();
        for (var step = 0; step < Steps; step += ManagedEvery)
        {
            GC.KeepAlive(new int[largeLength + (step * LargeGrowth)]);
            kept[step] = new int[SmallLength];
        }

        GC.KeepAlive(kept);
        return Stopwatch.GetElapsedTime(started).TotalSeconds * ManagedEvery;
    }
}
