using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>Snapshots and restores of objects of 64 bytes, in memory where the system has a folder for that. The size
/// is that of the files in bytes.</summary>
internal static class SnapshotRows
{
    private const int Rounds = 3;
    private const int PayloadBytes = 64;
    private const int SlotBytes = 72;

    public static void Run(BenchmarkRun run)
    {
        var size = run.Size("snapshot.write");
        using var memory = new MemoryFolder("cluster-snapshot");
        var folder = memory.Path;
        using var set = new PileSet(size / SlotBytes, PayloadBytes);
        var write = Enumerable.Range(0, Rounds).Max(_ => RateOf(folder, () => Save(set.Pile, folder)));
        run.Report("snapshot.write", write);
        var options = new PileOptions { BudgetBytes = size * 2, ReserveBytes = 0 };
        var read = Enumerable.Range(0, Rounds).Max(_ => RestoreRateOf(folder, options));
        run.Report("snapshot.read", read);
    }

    private static double RateOf(string folder, Action work)
    {
        var began = Stopwatch.GetTimestamp();
        work();
        var seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        return new DirectoryInfo(folder).GetFiles().Max(file => file.Length) / seconds / 1e9;
    }

    private static void Save(LocalPile pile, string folder) => pile.SaveAsync(folder).GetAwaiter().GetResult();

    private static double RestoreRateOf(string folder, PileOptions options)
    {
        LocalPile? pile = null;
        var rate = RateOf(folder, () => pile = LocalPile.RestoreAsync(folder, options).GetAwaiter().GetResult());
        pile!.Dispose();
        return rate;
    }
}
