using System.Collections.Concurrent;
using Cluster.Benchmarks.Harness;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Pile;

/// <summary>New objects of 64 bytes: ours into touched memory, rivals as copied arrays under dense keys.</summary>
internal static class PutRows
{
    private const int Size = 64;

    public static void Run(BenchmarkRun run)
    {
        if (run.Wants("put.64"))
            RunAlone(run);
        Against(run, "put.64.dictionary", payload =>
        {
            var rival = new Dictionary<long, byte[]>();
            return key => rival[key] = payload.ToArray();
        });
        Against(run, "put.64.concurrent", payload =>
        {
            var rival = new ConcurrentDictionary<long, byte[]>();
            return key => rival[key] = payload.ToArray();
        });
        Against(run, "put.64.list", payload =>
        {
            var rival = new List<byte[]>();
            return _ => rival.Add(payload.ToArray());
        });
        Against(run, "put.64.memorycache", payload =>
        {
            var rival = new MemoryCache(new MemoryCacheOptions());
            return key => rival.Set(key, payload.ToArray());
        });
    }

    private static void RunAlone(BenchmarkRun run)
    {
        var count = (int)run.Size("put.64");
        using var set = new PileSet(count, Size);
        run.Report("put.64", count / Rounds.MedianSeconds(() => Ours(set, count))[0] / 1e6);
    }

    private static void Against(BenchmarkRun run, string row, Func<byte[], Action<long>> rival)
    {
        if (!run.Wants(row))
            return;
        var count = (int)run.Size(row);
        using var set = new PileSet(count, Size);
        var seconds = Rounds.MedianSeconds(() => Ours(set, count), () =>
        {
            var put = rival(set.Payload);
            return () =>
            {
                for (long key = 0; key < count; key++)
                    put(key);
            };
        });
        run.Report(row, seconds[1] / seconds[0]);
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
