using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>Cold reads of 64 bytes by pointer into a span beside arrays in a list, which has no keys either.</summary>
internal static class ReadRivalRows
{
    private const int Size = 64;
    private const int Reads = 200_000;

    public static void Run(BenchmarkRun run)
    {
        const string Row = "read.64.cold.list";
        if (!run.Wants(Row))
            return;
        using var set = new PileSet(run.Size(Row), Size);
        List<byte[]> rival = [.. set.Pointers.Select(static _ => new byte[Size])];
        var random = new Random(7);
        int[] order = [.. Enumerable.Range(0, Reads).Select(_ => random.Next(set.Pointers.Length))];
        var buffer = new byte[Size];
        var seconds = Rounds.MedianSeconds(
            () => () =>
            {
                foreach (var index in order)
                    set.Pile.Read(set.Pointers[index], buffer);
            },
            () => () =>
            {
                foreach (var index in order)
                    rival[index].CopyTo(buffer.AsSpan());
            });
        run.Report(Row, seconds[1] / seconds[0]);
    }
}
