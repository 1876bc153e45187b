namespace Cluster.Pile.Tests.Memory;

/// <summary>Acceptance case 7 of the pile: a full pile refuses and changes nothing.</summary>
[Trait("Case", "pile-7")]
public sealed class BudgetTests
{
    private const int Size = 1000;

    [Fact]
    public void Put_WhenFull_ChangesNothingAndWorksAfterDeletes()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var pointers = Piles.FillUp(pile, Size);
        var before = pile.GetStatistics();
        Assert.Throws<PileFullException>(() => pile.Put(Piles.Payload(9, Size)));
        var after = pile.GetStatistics();
        Assert.Equal((before.Objects, before.Links, before.LiveBytes), (after.Objects, after.Links, after.LiveBytes));
        CheckIntact(pile, pointers, Size);
        Assert.InRange(before.LiveBytes, 8 * Piles.MiB * 9 / 10, 8 * Piles.MiB);

        foreach (var pointer in pointers.Take(pointers.Count / 10))
            Assert.True(pile.Delete(pointer));
        for (var i = 0; i < pointers.Count / 10; i++)
            pile.Put(Piles.Payload(1, Size));
        PileChecks.CountersAgree(pile);
    }

    [Fact]
    public void Grow_WhenFull_LeavesTheOldObjectIntact()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var pointers = Piles.FillUp(pile, Size);
        Assert.Throws<PileFullException>(() => pile.Put(pointers[5], new byte[3 * Size]));
        Assert.Throws<PileFullException>(() => pile.Put(pointers[6], new byte[4 * Piles.MiB]));
        CheckIntact(pile, pointers, Size);
        pile.Put(pointers[7], Piles.Payload(7, Size - 1));
        PileChecks.CountersAgree(pile);
        foreach (var pointer in pointers)
            Assert.True(pile.Delete(pointer));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Put_OfAnotherSize_WhenDeletedSlotsWaitInThreads_Succeeds()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var small = Piles.FillUp(pile, 24);
        Assert.All(small, pointer => Assert.True(pile.Delete(pointer)));
        var large = Piles.FillUp(pile, 100_000);
        Assert.InRange(large.Count, 60, 84);
        CheckIntact(pile, large, 100_000);
        Assert.All(large, pointer => Assert.True(pile.Delete(pointer)));
        Assert.InRange(pile.SizeOf(pile.Put(new byte[6 * Piles.MiB])), 6 * Piles.MiB, 6 * Piles.MiB);
    }

    [Fact]
    public void Put_WhenAnotherThreadHoldsTheFreeSlots_Succeeds()
    {
        using var pile = Piles.Create(4 * Piles.MiB);
        var pointers = Piles.FillUp(pile, 3000);
        var last = pointers[^10..];
        var thread = new Thread(() => Assert.All(last, pointer => Assert.True(pile.Delete(pointer))));
        thread.Start();
        thread.Join();
        for (var i = 0; i < 10; i++)
            pile.Put(new byte[3000]);
        Assert.Throws<PileFullException>(() => pile.Put(new byte[3000]));
    }

    [Fact]
    public void FillAndEmpty_ManyTimes_NeverLosesRoom()
    {
        using var pile = Piles.Create(8 * Piles.MiB);
        var counts = new List<int>();
        for (var round = 0; round < 6; round++)
        {
            var pointers = Piles.FillUp(pile, Size);
            counts.Add(pointers.Count);
            Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
            Assert.All(Piles.FillUp(pile, 40_000), pointer => Assert.True(pile.Delete(pointer)));
        }

        Assert.All(counts, count => Assert.InRange(count, counts[0] * 99 / 100, counts[0] * 101 / 100));
    }

    private static void CheckIntact(LocalPile pile, List<PilePointer> pointers, int size)
    {
        var buffer = new byte[size];
        for (var i = 0; i < pointers.Count; i++)
        {
            Assert.Equal(size, pile.Read(pointers[i], buffer));
            Assert.True(Piles.IsPayload(buffer, (ulong)i));
        }
    }
}
