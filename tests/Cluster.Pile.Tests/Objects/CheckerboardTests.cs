using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 8 of the pile, stable realm: holes are filled again.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "pile-8")]
public sealed class CheckerboardTests(ITestOutputHelper output)
{
    private const int SizeMin = 2;
    private const int SizeMax = 1000;

    [RequiresFileFact(ResidentMemory.PageMap)]
    public void Holes_OfManySizes_AreFilledAgain() => Check(200_000);

    [RequiresFileFact(ResidentMemory.PageMap)]
    [Trait("Category", "Soak")]
    public void Holes_OfFiveMillionObjects_AreFilledAgain() => Check(5_000_000);

    private void Check(int count)
    {
        var random = new Random(8);
        var budget = (count * 800L) + (64 * Piles.MiB);
        using var pile = new LocalPile(new PileOptions { BudgetBytes = budget, ReserveBytes = 0 });
        var sizes = Enumerable.Range(0, count).Select(_ => random.Next(SizeMin, SizeMax + 1)).ToArray();
        var pointers = new PilePointer[count];
        for (var i = 0; i < count; i++)
            pointers[i] = Put(pile, i, sizes[i]);
        var first = ResidentMemory.Of(pile);
        output.WriteLine($"{count:N0} objects, seed 8: {first:N0} bytes resident");

        Replace(2, size => size);
        Report("every second again", 1.02);
        Replace(3, size => Math.Clamp(size + (random.Next(2) == 0 ? 8 : -8), SizeMin, SizeMax));
        Report("every third again, 8 bytes more or less", 1.10);

        random.Shuffle(pointers);
        foreach (var pointer in pointers.AsSpan(count / 10))
            Assert.True(pile.Delete(pointer));
        var done = pile.Compact();
        var left = pile.GetStatistics();
        Assert.Equal(count / 10, left.Objects);
        output.WriteLine($"90 % deleted, {done}: {(double)ResidentMemory.Of(pile) / left.LiveBytes:F2} x live");
        Assert.All(pointers.Skip(count / 10).Take(1000), pointer => Assert.False(pile.IsLive(pointer)));
        PileChecks.CountersAgree(pile);

        void Replace(int step, Func<int, int> resize)
        {
            for (var i = 0; i < count; i += step)
                Assert.True(pile.Delete(pointers[i]));
            for (var i = 0; i < count; i += step)
            {
                sizes[i] = resize(sizes[i]);
                pointers[i] = Put(pile, i, sizes[i]);
            }
        }

        void Report(string what, double growthMax)
        {
            var growth = (double)ResidentMemory.Of(pile) / first;
            output.WriteLine($"{what}: {growth:F3} x");
            Assert.InRange(growth, 0.5, growthMax);
        }
    }

    private static PilePointer Put(LocalPile pile, int number, int size)
    {
        Span<byte> payload = stackalloc byte[size];
        Piles.Fill(payload, (ulong)number);
        return pile.Put(payload);
    }
}
