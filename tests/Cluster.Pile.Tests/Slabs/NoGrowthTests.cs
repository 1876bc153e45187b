using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Slabs;

/// <summary>Acceptance case 9 of the pile, stable realm: steady work leaves memory as it is.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "pile-9")]
public sealed class NoGrowthTests(ITestOutputHelper output)
{
    private const int ThreadCount = 2;
    private const int LiveObjects = 100_000;
    private const int Samples = 10;
    private const int SpikeEvery = 5000;
    private const int SpikeBytes = 10_000;

    [RequiresFileFact(ResidentMemory.PageMap)]
    public void SteadyWork_KeepsMemoryFlat() => Check(4_000_000 / Samples, TimeSpan.Zero);

    [RequiresFileFact(ResidentMemory.PageMap)]
    [Trait("Category", "Soak")]
    [Trait("Case", "experience-L4")]
    public void SteadyWork_OfHalfAnHour_KeepsMemoryFlat() =>
        Check(4_000_000, TimeSpan.FromMinutes(30) / Samples);

    private void Check(long pairsMin, TimeSpan sampleTime)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 2L << 30, ReserveBytes = 0 });
        var pointers = new PilePointer[ThreadCount][];
        OnAllThreads(number => pointers[number] = Fill(pile, number));
        var resident = new List<long>();
        long done = 0;
        for (var sample = 0; sample < Samples; sample++)
        {
            var seed = sample * ThreadCount;
            OnAllThreads(number => Interlocked.Add(
                ref done, Churn(pile, pointers[number], seed + number, pairsMin, sampleTime)));
            resident.Add(ResidentMemory.Of(pile));
            var ratio = (double)resident[^1] / pile.GetStatistics().LiveBytes;
            output.WriteLine($"{done:N0} pairs: {resident[^1]:N0} bytes, {ratio:F3} x live");
            Assert.InRange(ratio, 1, 1.4);
        }

        Assert.InRange(resident.Skip(Samples / 2).Max(), 0, resident.Take(Samples / 2).Max() * 102 / 100);
        ReportOtherSizes(pile, pointers);
        OnAllThreads(number => Assert.All(pointers[number], pointer => Assert.True(pile.Delete(pointer))));
        PileChecks.AllSlotsAreFree(pile);
        pile.Compact();
        Assert.InRange(ResidentMemory.Of(pile), 0, 4 * Piles.MiB);
    }

    // Pointers of the stable realm never move, so what a change of sizes leaves behind is reported, not bounded.
    private void ReportOtherSizes(LocalPile pile, PilePointer[][] pointers)
    {
        OnAllThreads(number => DeleteNineOfTen(pile, pointers[number]));
        var compaction = pile.Compact();
        output.WriteLine($"nine of ten deleted, {compaction}: {ResidentToLive(pile):F3} x live");
        OnAllThreads(number => FillAgain(pile, pointers[number], number));
        output.WriteLine($"filled again with sizes 60..70: {ResidentToLive(pile):F3} x live");
    }

    private static double ResidentToLive(LocalPile pile) =>
        (double)ResidentMemory.Of(pile) / pile.GetStatistics().LiveBytes;

    private static void DeleteNineOfTen(LocalPile pile, PilePointer[] pointers)
    {
        for (var index = 0; index < pointers.Length; index++)
        {
            if (index % 10 != 0)
                Assert.True(pile.Delete(pointers[index]));
        }
    }

    private static void FillAgain(LocalPile pile, PilePointer[] pointers, int seed)
    {
        var random = new Random(seed);
        var buffer = new byte[SpikeBytes];
        for (var index = 0; index < pointers.Length; index++)
        {
            if (index % 10 != 0)
                pointers[index] = pile.Put(buffer.AsSpan(0, random.Next(60, 71)));
        }
    }

    private static void OnAllThreads(Action<int> work)
    {
        var failures = new List<Exception>();
        var threads = Enumerable.Range(0, ThreadCount).Select(number => new Thread(() =>
        {
            try
            {
                work(number);
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add(e);
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        Assert.Empty(failures);
    }

    private static PilePointer[] Fill(LocalPile pile, int number)
    {
        var random = new Random(number);
        var buffer = new byte[SpikeBytes];
        return [.. Enumerable.Range(0, LiveObjects).Select(_ => pile.Put(buffer.AsSpan(0, WideSize(random))))];
    }

    // At least this number of pairs, and as many more as the time allows.
    private static long Churn(LocalPile pile, PilePointer[] pointers, int seed, long pairsMin, TimeSpan time)
    {
        const int pairsBetweenLooks = 10_000;
        var random = new Random(seed);
        var buffer = new byte[SpikeBytes];
        var started = Stopwatch.GetTimestamp();
        long done = 0;
        do
        {
            for (var pair = 0; pair < pairsBetweenLooks; pair++)
            {
                var index = random.Next(pointers.Length);
                Assert.True(pile.Delete(pointers[index]));
                var size = pair % SpikeEvery == 0 ? SpikeBytes : WideSize(random);
                pointers[index] = pile.Put(buffer.AsSpan(0, size));
            }

            done += pairsBetweenLooks;
        }
        while (done < pairsMin || Stopwatch.GetElapsedTime(started) < time);
        return done;
    }

    private static int WideSize(Random random) => random.Next(2, 1001);
}
