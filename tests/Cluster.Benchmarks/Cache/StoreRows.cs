using Cluster.Benchmarks.Harness;
using Cluster.Pile.Caching;

namespace Cluster.Benchmarks.Cache;

/// <summary>
/// Inserts, reads, memory and collector pauses of stores of 64-byte values under long keys: ours and rivals in turn.
/// A rival's row is named as ours with the rival's name behind it.
/// </summary>
internal static class StoreRows
{
    private const int RoundsQuick = 2;
    private const int RoundsFull = 5;
    private const int HotKeys = 1000;
    private const int Requests = 1 << 20;
    private const int Batch = 32;

    private static readonly string[] Works = ["insert", "insert.two", "entry.bytes", "gc.full"];
    private static readonly string[] Reads = ["get.hot", "get.hot.two", "get.cold", "get.cold.two", "getmany.cold"];

    public static void Run(BenchmarkRun run)
    {
        var count = run.Size("insert.faster");
        StoreTrial[] trials =
        [
            new("", () => PileContender.CreatePrepared(count), () => PileContender.Create(count)),
            new("concurrent", () => new ConcurrentContender()),
            new("faster", () => new FasterContender(count)),
            new("memorycache", () => new MemoryCacheContender()),
        ];
        if (trials.Any(trial => run.Wants([.. Works.Select(trial.Row)])))
            RunInserts(run, trials, count);
        if (trials.Any(trial => run.Wants([.. Reads.Select(trial.Row)])))
            RunReads(run, trials, count);
    }

    private static void RunInserts(BenchmarkRun run, StoreTrial[] trials, long count)
    {
        for (var round = 0; round < (run.IsQuick ? RoundsQuick : RoundsFull); round++)
        {
            foreach (var trial in trials)
                trial.RunRound(count);
        }

        foreach (var trial in trials)
        {
            run.Report(trial.Row("insert"), trial.InsertRate);
            run.Report(trial.Row("insert.two"), trial.InsertRateOfTwo / (trial.IsOurs ? trial.InsertRate : 1));
            run.Report(trial.Row("entry.bytes"), trial.EntryBytes);
            run.Report(trial.Row("gc.full"), trial.CollectionMilliseconds);
        }
    }

    private static void RunReads(BenchmarkRun run, StoreTrial[] trials, long count)
    {
        var random = new Random(11);
        long[] hot = [.. Enumerable.Range(0, Requests).Select(_ => random.NextInt64(HotKeys))];
        long[] cold = [.. Enumerable.Range(0, Requests).Select(_ => random.NextInt64(count))];
        var stores = trials.Select(trial => trial.CreateFilled(count)).ToArray();
        foreach (var (row, keys) in new[] { ("get.hot", hot), ("get.cold", cold) })
        {
            var race = Race.Run(
                run.Share(trials.Length),
                [.. trials.Zip(stores, (trial, store) => Reader(trial.Name, store, keys))]);
            var raceOfTwo = Race.Run(
                run.Share(trials.Length),
                [.. trials.Zip(stores, (trial, store) => ReaderOfTwo(trial.Name, store, keys))]);
            foreach (var trial in trials)
            {
                var rate = race.Rate(trial.Name) / 1e6;
                run.Report(trial.Row(row), rate);
                run.Report(trial.Row($"{row}.two"), raceOfTwo.Rate(trial.Name) / 1e6 / (trial.IsOurs ? rate : 1));
            }
        }

        RunMany(run, ((PileContender)stores[0]).Table, cold);
        foreach (var store in stores)
            store.Dispose();
    }

    private static void RunMany(BenchmarkRun run, CacheTable<long, byte[]> table, long[] keys)
    {
        var values = new byte[]?[Batch];
        var race = Race.Run(run.Share(), new Contender("many", count =>
        {
            for (var i = 0; i < count; i += Batch)
            {
                if (table.GetMany(keys.AsSpan(i & (Requests - 1), Batch), values) < Batch)
                    throw new InvalidOperationException("The table has lost an entry.");
            }
        }));
        run.Report("getmany.cold", race.Rate("many") / 1e6);
    }

    private static Contender Reader(string name, ICacheContender store, long[] keys)
    {
        var session = store.Begin();
        return new Contender(name, count => Read(session, keys, 0, count));
    }

    private static Contender ReaderOfTwo(string name, ICacheContender store, long[] keys) =>
        new(name, count => TwoThreads.Prepare(half =>
        {
            using var session = store.Begin();
            Read(session, keys, half * (Requests / 2), (count + 1) / 2);
        })());

    private static void Read(ICacheSession session, long[] keys, int first, int count)
    {
        Span<byte> value = stackalloc byte[StoreTrial.ValueBytes];
        for (var i = first; i < first + count; i++)
        {
            if (!session.TryRead(keys[i & (Requests - 1)], value))
                throw new InvalidOperationException("A store has lost an entry.");
        }
    }
}
