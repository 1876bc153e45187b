using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>New objects of 64 bytes in touched memory, alone and beside copied arrays in a list. Stores with keys are
/// compared with the cache table, in the area <c>cache</c>.</summary>
internal static class PutRows
{
    private const int Size = 64;

    public static void Run(BenchmarkRun run)
    {
        if (run.Wants("put.64"))
            RunAlone(run);
        if (run.Wants("put.64.list"))
            RunBesideList(run);
    }

    private static void RunAlone(BenchmarkRun run)
    {
        var count = (int)run.Size("put.64");
        using var set = new PileSet(count, Size);
        run.Report("put.64", count / Rounds.MedianSeconds(() => Ours(set, count))[0] / 1e6);
    }

    // Neither side has keys: a pile gives a pointer for each object, a list an index.
    private static void RunBesideList(BenchmarkRun run)
    {
        const string Row = "put.64.list";
        var count = (int)run.Size(Row);
        using var set = new PileSet(count, Size);
        List<byte[]>? rival = null;
        var seconds = Rounds.MedianSeconds(() => Ours(set, count), () =>
        {
            // What the round before has made is freed, and its memory stays with the process: touched, as ours.
            rival = null;
            GC.Collect();
            rival = new List<byte[]>(count);
            return () =>
            {
                for (var i = 0; i < count; i++)
                    rival.Add(set.Payload.ToArray());
            };
        });
        run.Report(Row, seconds[1] / seconds[0]);
    }

    // Purging keeps the memory, because the reserve is as large as the budget.
    private static Action Ours(PileSet set, int count)
    {
        set.Pile.Purge();
        return () =>
        {
            for (var i = 0; i < count; i++)
                set.Pointers[i] = set.Pile.Put(set.Payload.AsSpan());
        };
    }
}
