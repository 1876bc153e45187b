using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Memory;

/// <summary>What a pile costs, by the pages that the kernel has given it: small piles, case 15 (dispose) and case 18
/// (overhead).</summary>
[Collection(nameof(RunsAlone))]
public sealed class ResidentMemoryTests(ITestOutputHelper output)
{
    private const int HugePageBytes = 2 << 20;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly int[] Sizes = [16, 32, 64, 75, 128, 314];

    [RequiresFileFact(ResidentMemory.PageMap)]
    public void SmallPiles_TakeLittleMemory()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 8L << 30 });
        Assert.InRange(ResidentMemory.Of(pile), 0, 4 * Piles.MiB - 1);
        pile.Put(new byte[40]);
        Assert.InRange(ResidentMemory.Of(pile), 4096, 4 * Piles.MiB - 1);

        var random = new Random(5);
        for (var i = 0; i < 10_000; i++)
            pile.Put(new byte[random.Next(1, 2000)]);
        var payload = pile.GetStatistics().LiveBytes;
        var resident = ResidentMemory.Of(pile);
        output.WriteLine($"10,000 objects of 1..2000 bytes: payload {payload:N0}, resident {resident:N0}");
        Assert.InRange(resident, payload, payload + (16 * Piles.MiB));
    }

    [RequiresFileFact(ResidentMemory.PageMap)]
    [Trait("Case", "pile-15")]
    public void Dispose_UnderLoad_GivesTheMemoryBack()
    {
        var pile = new LocalPile(new PileOptions { BudgetBytes = 512 * Piles.MiB });
        var range = pile.Range;
        var failures = new List<Exception>();
        var threads = Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            try
            {
                while (true)
                {
                    var pointers = Enumerable.Range(0, 20_000).Select(i => pile.Put(new byte[i % 5000])).ToList();
                    pointers.ForEach(pointer => pile.GetBytes(pointer));
                    pointers.ForEach(pointer => pile.Delete(pointer));
                }
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add(e);
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        Assert.True(SpinWait.SpinUntil(() => pile.GetStatistics().ReservedBytes > 60 * Piles.MiB, Bound));
        var before = ResidentMemory.Of(range.Address, range.Length);
        pile.Dispose();
        threads.ForEach(thread => Assert.True(thread.Join(Bound)));
        var after = ResidentMemory.Of(range.Address, range.Length);
        output.WriteLine($"resident {before:N0} before, {after:N0} after");
        // Less than was reserved, since the threads may all be deleting just then.
        Assert.InRange(before, 16 * Piles.MiB, 512 * Piles.MiB);

        // A reader that is amid its read when the pile ends maps zeros again: a shared page, which may be a huge one.
        Assert.InRange(after, 0, Piles.MiB + (threads.Count * HugePageBytes));
        Assert.Equal(3, failures.Count);
        Assert.All(failures, failure => Assert.IsType<ObjectDisposedException>(failure));
    }

    [RequiresFileFact(ResidentMemory.PageMap)]
    [Trait("Case", "pile-18")]
    public void Overhead_ByResidentMemory_IsAtMostTwelveBytesOnAverage() => CheckOverhead(1_000_000);

    [RequiresFileFact(ResidentMemory.PageMap)]
    [Trait("Case", "pile-18")]
    [Trait("Category", "Soak")]
    public void Overhead_ByResidentMemory_OfTwentyMillion_IsAtMostTwelveBytesOnAverage() => CheckOverhead(20_000_000);

    [Fact]
    [Trait("Case", "pile-18")]
    public void Overhead_FromOneToThousandBytes_IsReported()
    {
        const int count = 20_000;
        for (var size = 1; size <= 1024; size += size < 32 ? 1 : size / 8)
        {
            using var pile = Piles.Create();
            for (var i = 0; i < count; i++)
                pile.Put(new byte[size].AsSpan());
            var s = pile.GetStatistics();
            var overhead = (double)s.OverheadBytes / count;
            output.WriteLine($"{size} B: {overhead:F1} B");
            Assert.InRange(overhead, 8, Math.Max(18, size / 8));
        }
    }

    private void CheckOverhead(int count)
    {
        var overheads = new List<double>();
        foreach (var size in Sizes)
        {
            using var pile = new LocalPile(new PileOptions
            {
                BudgetBytes = (count * (size + 24L)) + (64 * Piles.MiB),
                ReserveBytes = 0,
            });
            var empty = ResidentMemory.Of(pile);
            var payload = new byte[size];
            for (var i = 0; i < count; i++)
                pile.Put(payload.AsSpan());
            overheads.Add(((double)(ResidentMemory.Of(pile) - empty) / count) - size);
            output.WriteLine($"{count:N0} objects of {size} B: {overheads[^1]:F1} B more each");
        }

        output.WriteLine($"average {overheads.Average():F2} B");
        Assert.InRange(overheads.Average(), 8, 12);
    }
}
