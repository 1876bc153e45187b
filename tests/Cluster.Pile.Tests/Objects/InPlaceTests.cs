namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 6 of the pile: updates in place, with links and without, and changes of kind.</summary>
[Trait("Case", "pile-6")]
public sealed class InPlaceTests
{
    public static TheoryData<int, int, int, int> Matrix { get; } = new()
    {
        // first size, second, third, links after the third
        { 8, 8, 8, 0 },
        { 100, 50, 100, 0 },
        { 16, 17, 18, 1 },
        { 16, 600, 700, 1 },
        { 16, 600, 16, 0 },
        { 16, 600, 500, 1 },
        { 0, 9, 0, 0 },
        { 0, 300_000, 10, 1 },
        { 10, 300_000, 600_000, 1 },
        { 10, 300_000, 200_000, 1 },
        { 300_000, 10, 300_000, 0 },
        { 300_000, 2_000_000, 300_001, 0 },
        { 262_143, 262_144, 262_143, 0 },
    };

    [Theory]
    [MemberData(nameof(Matrix))]
    public void Update_ThroughSizes_KeepsPointerAndCounters(int first, int second, int third, int links)
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(Piles.Payload(1, first));
        Check(pile, pointer, 1, first);
        pile.Put(pointer, Piles.Payload(2, second));
        Check(pile, pointer, 2, second);
        pile.Put(pointer, Piles.Payload(3, third));
        Check(pile, pointer, 3, third);

        var statistics = pile.GetStatistics();
        Assert.Equal((1, links, third), (statistics.Objects, statistics.Links, statistics.LiveBytes));
        Assert.True(pile.Delete(pointer));
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Update_ThatShrinksALot_ReturnsTheLargeBodyUnlessFull()
    {
        using var pile = Piles.Create(4 * Piles.MiB);
        var pointer = pile.Put(new byte[8]);
        pile.Put(pointer, new byte[2 * Piles.MiB]);
        Assert.Equal(1, pile.GetStatistics().LargeObjects);
        pile.Put(pointer, Piles.Payload(1, 100));
        Assert.Equal(0, pile.GetStatistics().LargeObjects);
        Assert.True(Piles.IsPayload(pile.GetBytes(pointer), 1));

        pile.Put(pointer, new byte[2 * Piles.MiB]);
        var others = new List<PilePointer>();
        var isFull = false;
        while (!isFull)
        {
            try
            {
                others.Add(pile.Put(new byte[100].AsSpan()));
            }
            catch (PileFullException)
            {
                isFull = true;
            }
        }

        pile.Put(pointer, Piles.Payload(2, 101));
        Assert.True(Piles.IsPayload(pile.GetBytes(pointer), 2));
        PileChecks.CountersAgree(pile);
        Assert.True(pile.Delete(pointer));
        Assert.All(others, other => Assert.True(pile.Delete(other)));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Update_BetweenKinds_ChangesWhatCanBeGot()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put("abc"u8);
        pile.Put(pointer, "Größe");
        Assert.Equal("Größe", pile.GetString(pointer));
        pile.Put(pointer, "длинная строка, которая больше не помещается");
        Assert.Equal("длинная строка, которая больше не помещается", pile.GetString(pointer));
        Assert.Equal(1, pile.GetStatistics().Links);
        pile.Put(pointer, new string('x', 40));
        Assert.Equal(new string('x', 40), pile.GetString(pointer));
        pile.Put(pointer, [1, 2]);
        Assert.Equal([1, 2], pile.GetBytes(pointer));
        Assert.Throws<InvalidCastException>(() => pile.GetString(pointer));
        Assert.Equal(0, pile.GetStatistics().Links);
    }

    [Fact]
    public void Update_OfManyLinked_ReturnsEverySlot()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 5000).Select(i => pile.Put(Piles.Payload((ulong)i, 10))).ToArray();
        for (var round = 1; round <= 4; round++)
        {
            for (var i = 0; i < pointers.Length; i++)
                pile.Put(pointers[i], Piles.Payload((ulong)i, round * 100));
        }

        Assert.Equal(pointers.Length, pile.GetStatistics().Links);
        for (var i = 0; i < pointers.Length; i++)
        {
            Assert.True(Piles.IsPayload(pile.GetBytes(pointers[i]), (ulong)i));
            Assert.True(pile.Delete(pointers[i]));
        }

        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Update_MoreOftenThanTheVersionCounts_StaysReadable()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(Piles.Payload(0, 40));
        for (var i = 1; i < 10_000; i++)
        {
            pile.Put(pointer, Piles.Payload((ulong)i, 40));
            Assert.True(i % 100 != 0 || Piles.IsPayload(pile.GetBytes(pointer), (ulong)i));
        }
    }

    [Fact]
    public void BodyOfALink_ByItsOwnPointer_IsRefused()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[8]);
        pile.Put(pointer, new byte[500]);
        var body = PilePointer.FromUInt64(BitConverter.ToUInt64(PileChecks.SlotPayload(pile, pointer, 8)));
        Assert.NotEqual(default, body);
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(body));
        Assert.Throws<InvalidPilePointerException>(() => pile.Put(body, "x"u8));
        Assert.False(pile.Delete(body));
        Assert.Equal(500, pile.SizeOf(pointer));
    }

    private static void Check(LocalPile pile, PilePointer pointer, ulong seed, int size)
    {
        Assert.Equal(size, pile.SizeOf(pointer));
        Assert.Equal(Piles.Payload(seed, size), pile.GetBytes(pointer));
    }
}
