using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Registers;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Operations of many threads on few keys happen one after the other, as far as anybody can tell.</summary>
public sealed class CacheHistoryTests(ITestOutputHelper output)
{
    private const int Keys = 8;
    private const int CallsPerWorker = 40;

    [Theory]
    [Trait("Case", "pile-25")]
    [InlineData(4, 150, 25)]
    [InlineData(8, 150, 26)]
    public void Histories_AreLinearizable(int threads, int histories, int seed) => Check(threads, histories, seed);

    [Theory]
    [Trait("Case", "pile-25")]
    [Trait("Category", "Soak")]
    [InlineData(4, 3_000, 251)]
    [InlineData(6, 4_000, 252)]
    [InlineData(8, 3_000, 253)]
    public void ManyHistories_AreLinearizable(int threads, int histories, int seed) => Check(threads, histories, seed);

    private void Check(int threads, int histories, int seed)
    {
        using var caches = new Caches();
        var table = caches.Create<long, byte[]>();
        var history = new RegisterHistory<long>();
        var failures = new List<string>();
        var gate = new Lock();
        var calls = 0;
        using var barrier = new Barrier(threads, _ =>
        {
            calls += history.Calls.Count;
            var verdict = LinearizabilityChecker.Check(history);
            if (!verdict.IsLinearizable)
            {
                lock (gate)
                    failures.Add(verdict.Explanation);
            }

            history = new RegisterHistory<long>();
        });
        var workers = Enumerable.Range(0, threads).Select(number => new Thread(() =>
        {
            try
            {
                var worker = new HistoryWorker(table, new Random((seed * 100) + number), number);
                for (var i = 0; i < histories; i++)
                {
                    worker.Run(history, firstKey: (long)i * Keys, Keys, CallsPerWorker);
                    barrier.SignalAndWait();
                }
            }
            catch (Exception failure)
            {
                lock (gate)
                    failures.Add($"{failure}");
                barrier.RemoveParticipant();
            }
        })).ToList();
        workers.ForEach(worker => worker.Start());
        workers.ForEach(worker => worker.Join());
        output.WriteLine($"{threads} threads, {histories:N0} histories, {calls:N0} calls, seed {seed}.");
        Assert.True(failures.Count == 0, $"seed {seed}: {string.Join(Environment.NewLine, failures.Take(3))}");
        Assert.Equal((long)histories * threads * CallsPerWorker, calls);
    }
}
