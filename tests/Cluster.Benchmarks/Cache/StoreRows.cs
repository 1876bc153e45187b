using Cluster.Benchmarks.Harness;
using Cluster.Pile.Caching;

namespace Cluster.Benchmarks.Cache;

/// <summary>Inserts, reads, memory and collector pauses of stores of 64-byte values under long keys: ours and rivals in
/// turn. A rival's row is named as ours with the rival's name behind it.</summary>
internal static class StoreRows
{
    private const int RoundsQuick = 2;
    private const int RoundsFull = 5;
    private const int HotKeys = 1000;
    private const int Requests = 1 << 20;
    private const int Batch = 32;

    // Reads that are one operation of a race, so that it never comes to time the start of a thread alone.
    private const int Reads = 8192;

    private static readonly string[] Works = ["insert", "insert.fresh", "insert.two", "entry.bytes", "gc.full"];
    private static readonly string[] ReadWorks = ["get.hot", "get.hot.two", "get.cold", "get.cold.two", "getmany.cold"];
    private static readonly TimeSpan RaceQuick = TimeSpan.FromSeconds(2.5);
    private static readonly TimeSpan RaceFull = TimeSpan.FromSeconds(20);

    public static void Run(BenchmarkRun run)
    {
        StoreTrial[] trials =
        [
            new("", PileContender.CreatePrepared, PileContender.Create),
            new("concurrent", _ => new ConcurrentContender()),
            new("bitfaster", count => new BitFasterContender(count)),
            new("faster", count => new FasterContender(count)),
            new("memorycache", _ => new MemoryCacheContender()),
        ];
        if (trials.Any(trial => run.Wants([.. ReadWorks.Select(trial.Row)])))
            RunReads(run, trials);
        RunInserts(run, [.. trials.Where(trial => run.Wants([.. Works.Select(trial.Row)]))]);
    }

    private static void RunInserts(BenchmarkRun run, StoreTrial[] trials)
    {
        for (var round = 0; round < (run.IsQuick ? RoundsQuick : RoundsFull); round++)
        {
            foreach (var trial in trials)
                trial.RunRound(run.Size(trial.Row("insert")));
        }

        foreach (var trial in trials)
        {
            run.Report(trial.Row("insert"), trial.InsertRate);
            run.Report(trial.Row("insert.fresh"), trial.FreshInsertRate);
            run.Report(trial.Row("insert.two"), trial.IsOurs ? trial.GainOfTwo : trial.InsertRateOfTwo);
            run.Report(trial.Row("entry.bytes"), trial.EntryBytes);
            run.Report(trial.Row("gc.full"), trial.CollectionMilliseconds);
        }
    }

    private static void RunReads(BenchmarkRun run, StoreTrial[] trials)
    {
        var random = new Random(11);
        long[] hot = [.. Enumerable.Range(0, Requests).Select(_ => random.NextInt64(HotKeys))];
        var counts = trials.Select(trial => run.Size(trial.Row("get.cold"))).ToArray();
        var stores = trials.Zip(counts, (trial, count) => trial.CreateFilled(count)).ToArray();
        var cold = counts.Select(count => ColdKeys(random, count)).ToArray();
        RunReads(run, "get.hot", trials, stores, [.. counts.Select(_ => hot)]);
        RunReads(run, "get.cold", trials, stores, cold);
        RunMany(run, ((PileContender)stores[0]).Table, cold[0]);
        foreach (var store in stores)
            store.Dispose();
    }

    private static long[] ColdKeys(Random random, long count) =>
        [.. Enumerable.Range(0, Requests).Select(_ => random.NextInt64(count))];

    // One thread and two take turns in one race, so that what the second one adds is seen round by round.
    private static void RunReads(
        BenchmarkRun run, string row, StoreTrial[] trials, ICacheContender[] stores, long[][] keys)
    {
        var contenders = new List<Contender>();
        for (var index = 0; index < trials.Length; index++)
        {
            contenders.Add(Reader(trials[index].Row(row), stores[index], keys[index]));
            contenders.Add(ReaderOfTwo(trials[index].Row($"{row}.two"), stores[index], keys[index]));
        }

        // What a second thread adds to a loop that touches no memory.
        var (control, controlOfTwo) = ($"{row}.two.control", "control");
        contenders.Add(new(controlOfTwo, ControlOfTwo));
        contenders.Add(new(control, Control));
        var race = Race.Run(run.IsQuick ? RaceQuick : RaceFull, [.. contenders]);
        run.Report(control, race.FastestRateRatio(controlOfTwo, control));
        foreach (var trial in trials)
        {
            var (one, two) = (trial.Row(row), trial.Row($"{row}.two"));
            run.Report(one, race.Rate(one) * Reads / 1e6);
            run.Report(two, trial.IsOurs ? race.FastestRateRatio(two, one) : race.Rate(two) * Reads / 1e6);
        }
    }

    private static void RunMany(BenchmarkRun run, CacheTable<long, byte[]> table, long[] keys)
    {
        var values = new byte[Batch * StoreTrial.ValueBytes];
        var lengths = new int[Batch];
        var race = Race.Run(run.Share(), new Contender("many", count =>
        {
            for (var i = 0; i < count; i += Batch)
            {
                if (table.ReadMany(keys.AsSpan(i & (Requests - 1), Batch), values, lengths) < Batch
                    || lengths.AsSpan().ContainsAnyExcept(StoreTrial.ValueBytes))
                    throw new InvalidOperationException("The table has lost an entry.");
            }
        }));
        run.Report("getmany.cold", race.Rate("many") / 1e6);
    }

    private static void Control(int count)
    {
        for (var i = 0; i < count; i++)
            ReferenceLoop.MeasureRoundScale();
    }

    private static void ControlOfTwo(int count) => TwoThreads.Prepare(half => Control((count + half) / 2))();

    private static Contender Reader(string name, ICacheContender store, long[] keys) =>
        new(name, count => store.Read(keys, 0, count * Reads));

    private static Contender ReaderOfTwo(string name, ICacheContender store, long[] keys) =>
        new(name, count => TwoThreads.Prepare(
            half => store.Read(keys, half * (Requests / 2), count * (Reads / 2)))());
}
