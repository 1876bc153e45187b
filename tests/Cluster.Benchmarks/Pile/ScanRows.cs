using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>One walk over all objects, with their lengths added up.</summary>
internal static class ScanRows
{
    private const int Size = 64;

    public static void Run(BenchmarkRun run)
    {
        using var set = new PileSet(run.Size("enumerate"), Size);
        var bytes = 0L;
        var seconds = Rounds.MedianSeconds(() => () =>
        {
            foreach (var found in set.Pile.Enumerate())
                bytes += found.Length;
        });
        GC.KeepAlive(bytes);
        run.Report("enumerate", set.Pointers.Length / seconds[0] / 1e6);
    }
}
