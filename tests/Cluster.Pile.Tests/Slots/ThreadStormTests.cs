using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Slots;

/// <summary>Acceptance case 10 of the pile: many threads over shared pointers; no read is ever torn, and none goes back
/// in time.</summary>
[Trait("Case", "pile-10")]
public sealed class ThreadStormTests(ITestOutputHelper output)
{
    // Over all threads of one storm.
    private const int OperationsShort = 24_000;
    private const int OperationsLong = 4_800_000;

    public static TheoryData<int, int, bool> Storms(int most)
    {
        var storms = new TheoryData<int, int, bool>();
        foreach (var threads in (int[])[8, 16, 64])
        {
            foreach (var objects in (int[])[1, 12, 256, most])
            {
                storms.Add(threads, objects, false);
                storms.Add(threads, objects, true);
            }
        }

        return storms;
    }

    [Theory]
    [MemberData(nameof(Storms), 10_000)]
    public void SharedPointers_UnderStorm_AreReadWhole(int threads, int objects, bool isOwned) =>
        Run(threads, objects, isOwned, OperationsShort);

    [Theory]
    [Trait("Category", "Soak")]
    [MemberData(nameof(Storms), 1_000_000)]
    public void MillionSharedPointers_UnderStorm_AreReadWhole(int threads, int objects, bool isOwned) =>
        Run(threads, objects, isOwned, OperationsLong);

    private void Run(int threads, int objects, bool isOwned, int operations)
    {
        using var pile = Piles.Create(objects > 10_000 ? 4096 * Piles.MiB : 128 * Piles.MiB);
        var storm = new Storm(pile, objects, threads, isOwned);
        storm.Run(operations / threads);
        output.WriteLine(storm.ToString());
        PileValidator.Check(pile);
        storm.DeleteAll();
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
        Assert.Empty(PileValidator.Check(pile));
    }
}
