using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests;

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
    public void SteadyWork_KeepsMemoryFlat() => Check(4_000_000);

    // About half an hour on two cores.
    [RequiresFileFact(ResidentMemory.PageMap)]
    [Trait("Category", "Soak")]
    public void SteadyWork_OfHalfAnHour_KeepsMemoryFlat() => Check(400_000_000);

    private void Check(long pairs)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 2L << 30, ReserveBytes = 0 });
        var pointers = new PilePointer[ThreadCount][];
        OnAllThreads(number => pointers[number] = Fill(pile, number));
        var resident = new List<long>();
        for (var sample = 0; sample < Samples; sample++)
        {
            var seed = sample * ThreadCount;
            OnAllThreads(number => Churn(pile, pointers[number], seed + number, pairs / Samples, WideSize));
            resident.Add(ResidentMemory.Of(pile));
            var ratio = (double)resident[^1] / pile.GetStatistics().LiveBytes;
            var done = pairs / Samples * (sample + 1);
            output.WriteLine($"{done:N0} pairs a thread: {resident[^1]:N0} bytes, {ratio:F3} x live");
            Assert.InRange(ratio, 1, 1.4);
        }

        Assert.InRange(resident.Skip(Samples / 2).Max(), 0, resident.Take(Samples / 2).Max() * 102 / 100);
        OnAllThreads(number => Churn(pile, pointers[number], number, pairs / Samples, NarrowSize));
        var compaction = pile.Compact();
        var changed = (double)ResidentMemory.Of(pile) / pile.GetStatistics().LiveBytes;
        output.WriteLine($"sizes 60..70 after {pairs / Samples:N0} pairs, {compaction}: {changed:F3} x live");
        OnAllThreads(number => Assert.All(pointers[number], pointer => Assert.True(pile.Delete(pointer))));
        PileChecks.AllSlotsAreFree(pile);
        pile.Compact();
        Assert.InRange(ResidentMemory.Of(pile), 0, 4 * Piles.MiB);
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

    private static void Churn(LocalPile pile, PilePointer[] pointers, int seed, long pairs, Func<Random, int> sizeOf)
    {
        var random = new Random(seed);
        var buffer = new byte[SpikeBytes];
        for (long pair = 0; pair < pairs; pair++)
        {
            var index = random.Next(pointers.Length);
            Assert.True(pile.Delete(pointers[index]));
            var size = pair % SpikeEvery == 0 ? SpikeBytes : sizeOf(random);
            pointers[index] = pile.Put(buffer.AsSpan(0, size));
        }
    }

    private static int WideSize(Random random) => random.Next(2, 1001);

    private static int NarrowSize(Random random) => random.Next(60, 71);
}
