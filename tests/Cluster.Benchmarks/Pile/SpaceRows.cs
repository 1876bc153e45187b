using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>What objects cost beside their payload, at rest and under churn.</summary>
internal static class SpaceRows
{
    private const int SizeMin = 32;
    private const int SizeMax = 512;

    private static readonly int[] OverheadSizes = [16, 32, 64, 75, 128, 314];

    public static void Run(BenchmarkRun run)
    {
        if (run.Wants("overhead"))
            run.Report("overhead", OverheadSizes.Average(size => OverheadOf(run.Size("overhead"), size)));
        if (run.Wants("churn.pairs", "churn.memory"))
            RunChurn(run);
    }

    private static double OverheadOf(long count, int size)
    {
        using var set = new PileSet(count, size);
        var statistics = set.Pile.GetStatistics();
        return (double)statistics.OverheadBytes / statistics.Objects;
    }

    private static void RunChurn(BenchmarkRun run)
    {
        var count = (int)run.Size("churn.pairs");
        using var pile = new LocalPile(new PileOptions { BudgetBytes = count * 2L * SizeMax });
        var random = new SplitMix(4);
        var payload = new byte[SizeMax];
        var pointers = new PilePointer[count];
        for (var i = 0; i < count; i++)
            pointers[i] = pile.Put(payload.AsSpan(0, random.Next(SizeMin, SizeMax)));

        var time = run.IsQuick ? TimeSpan.FromSeconds(3) : TimeSpan.FromSeconds(30);
        var started = Stopwatch.GetTimestamp();
        var pairs = 0L;
        for (; Stopwatch.GetElapsedTime(started) < time; pairs += 1000)
        {
            for (var i = 0; i < 1000; i++)
            {
                ref var pointer = ref pointers[random.Next(0, count - 1)];
                pile.Delete(pointer);
                pointer = pile.Put(payload.AsSpan(0, random.Next(SizeMin, SizeMax)));
            }
        }

        run.Report("churn.pairs", pairs / Stopwatch.GetElapsedTime(started).TotalSeconds / 1e6);
        var statistics = pile.GetStatistics();
        run.Report("churn.memory", (double)statistics.ReservedBytes / statistics.LiveBytes);
    }
}
