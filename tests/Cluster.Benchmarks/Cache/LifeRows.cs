using Cluster.Benchmarks.Harness;
using Cluster.Pile;
using Cluster.Pile.Caching;

namespace Cluster.Benchmarks.Cache;

/// <summary>Entries that come with a short time to live and are never read: the rate, and whether memory stays
/// flat.</summary>
internal static class LifeRows
{
    private const int Lives = 2;
    private static readonly TimeSpan LifeMin = TimeSpan.FromSeconds(0.5);

    public static void Run(BenchmarkRun run)
    {
        if (!run.Wants("ttl.churn", "ttl.churn.memory"))
            return;
        var life = run.IsQuick ? TimeSpan.FromSeconds(1) : TimeSpan.FromSeconds(10);
        using var pile = new LocalPile(new PileOptions { BudgetBytes = run.Size("ttl.churn") * 2000 });
        var table = new PileCache(pile).GetOrCreateTable<long, byte[]>("entries");
        var random = new Random(31);
        var value = new byte[StoreTrial.ValueBytes];
        var started = Stopwatch.GetTimestamp();
        var busy = TimeSpan.Zero;
        var (puts, bytesEarly) = (0L, 0L);
        while (Stopwatch.GetElapsedTime(started) is var elapsed && elapsed < 2 * Lives * life)
        {
            // The first half fills the table; afterwards as much goes as comes.
            if (bytesEarly == 0 && elapsed > Lives * life)
                bytesEarly = table.GetStatistics().Bytes;
            var began = Stopwatch.GetTimestamp();
            for (var i = 0; i < 1000; i++)
                table.Put(puts++, value.AsSpan(), maxAge: LifeMin + ((life - LifeMin) * random.NextDouble()));
            busy += Stopwatch.GetElapsedTime(began);

            // As many a life as the row's size, whatever the machine's speed, so that the table has its size.
            var due = TimeSpan.FromSeconds(puts / (run.Size("ttl.churn") / life.TotalSeconds));
            while (Stopwatch.GetElapsedTime(started) < due)
                Thread.Yield();
        }

        run.Report("ttl.churn", puts / busy.TotalSeconds / 1e6);
        run.Report("ttl.churn.memory", (double)table.GetStatistics().Bytes / bytesEarly);
    }
}
