using System.Collections.Concurrent;
using Cluster.Benchmarks.Harness;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Pile;

/// <summary>Cold reads of 64 bytes into a span beside rivals that hold arrays under dense keys.</summary>
internal static class ReadRivalRows
{
    private const int Size = 64;
    private const int Reads = 200_000;

    public static void Run(BenchmarkRun run)
    {
        Against(run, "read.64.cold.dictionary", count =>
        {
            var rival = new Dictionary<long, byte[]>();
            for (long key = 0; key < count; key++)
                rival[key] = new byte[Size];
            return key => rival[key];
        });
        Against(run, "read.64.cold.concurrent", count =>
        {
            var rival = new ConcurrentDictionary<long, byte[]>();
            for (long key = 0; key < count; key++)
                rival[key] = new byte[Size];
            return key => rival[key];
        });
        Against(run, "read.64.cold.list", count =>
        {
            var rival = new List<byte[]>();
            for (long key = 0; key < count; key++)
                rival.Add(new byte[Size]);
            return key => rival[(int)key];
        });
        Against(run, "read.64.cold.memorycache", count =>
        {
            var rival = new MemoryCache(new MemoryCacheOptions());
            for (long key = 0; key < count; key++)
                rival.Set(key, new byte[Size]);
            return key => rival.Get<byte[]>(key)!;
        });
    }

    private static void Against(BenchmarkRun run, string row, Func<long, Func<long, byte[]>> fill)
    {
        if (!run.Wants(row))
            return;
        using var set = new PileSet(run.Size(row), Size);
        var rival = fill(set.Pointers.Length);
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
                    rival(index).CopyTo(buffer.AsSpan());
            });
        run.Report(row, seconds[1] / seconds[0]);
    }
}
