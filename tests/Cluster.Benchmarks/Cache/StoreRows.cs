using Cluster.Benchmarks.Harness;

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

    private static readonly string[] Works = ["insert", "insert.two", "entry.bytes", "gc.full"];
    private static readonly string[] Reads = ["get.hot", "get.hot.two", "get.cold", "get.cold.two"];

    public static void Run(BenchmarkRun run)
    {
        var count = run.Size("insert.faster");
        StoreTrial[] trials =
        [
            new("concurrent", () => new ConcurrentContender()),
            new("faster", () => new FasterContender(count)),
            new("memorycache", () => new MemoryCacheContender()),
        ];
        if (trials.Any(trial => run.Wants([.. Works.Select(row => $"{row}.{trial.Name}")])))
            RunInserts(run, trials, count);
        if (trials.Any(trial => run.Wants([.. Reads.Select(row => $"{row}.{trial.Name}")])))
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
            run.Report($"insert.{trial.Name}", trial.InsertRate);
            run.Report($"insert.two.{trial.Name}", trial.InsertRateOfTwo);
            run.Report($"entry.bytes.{trial.Name}", trial.EntryBytes);
            run.Report($"gc.full.{trial.Name}", trial.CollectionMilliseconds);
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
                run.Report($"{row}.{trial.Name}", race.Rate(trial.Name) / 1e6);
                run.Report($"{row}.two.{trial.Name}", raceOfTwo.Rate(trial.Name) / 1e6);
            }
        }

        foreach (var store in stores)
            store.Dispose();
    }

    private static Contender Reader(string name, ICacheContender store, long[] keys)
    {
        var session = store.Begin();
        return new Contender(name, count => Read(session, keys, 0, count));
    }

    private static Contender ReaderOfTwo(string name, ICacheContender store, long[] keys) =>
        new(name, count => StoreTrial.InParallel(half =>
        {
            using var session = store.Begin();
            Read(session, keys, (int)half * (Requests / 2), (count + 1) / 2);
        }));

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
