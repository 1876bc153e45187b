namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 1 of the pile: the laws of put, get, read, delete and size.</summary>
[Trait("Case", "pile-1")]
public sealed class BasicLawsTests
{
    public static TheoryData<int> Sizes { get; } =
    [
        0, 1, 2, 7, 8, 9, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 16383, 16384, 16385, 65535, 65536, 65537,
        262142, 262143, 262144, 262145, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 9_000_000,
    ];

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Object_OfAnySize_ComesBackUntilDeleted(int size)
    {
        using var pile = Piles.Create();
        var payload = Piles.Payload(7, size);
        var pointer = pile.Put(payload);

        Assert.Equal(size, pile.SizeOf(pointer));
        Assert.Equal(payload, pile.GetBytes(pointer));
        var buffer = new byte[size + 3];
        Assert.Equal(size, pile.Read(pointer, buffer));
        Assert.Equal(payload, buffer[..size]);
        var statistics = pile.GetStatistics();
        Assert.Equal((1, 0, size), (statistics.Objects, statistics.Links, statistics.LiveBytes));

        Assert.True(pile.Delete(pointer));
        Assert.False(pile.Delete(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.GetBytes(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.Put(pointer, "x"u8));
        Piles.CheckEmpty(pile);
    }

    [Fact]
    public void Object_AboveBudget_IsRefusedWithBothFigures()
    {
        using var pile = Piles.Create(4 * Piles.MiB);
        var full = Assert.Throws<PileFullException>(() => pile.Put(new byte[4 * Piles.MiB]));
        Assert.Equal(4 * Piles.MiB, full.BudgetBytes);
        Assert.True(full.NeededBytes > 4 * Piles.MiB);
        Piles.CheckEmpty(pile);
    }

    [Theory]
    [InlineData(4 * Piles.MiB)]
    [InlineData(64 * Piles.MiB)]
    public void Object_OfTheLargestSize_Fits_AndOneByteMoreDoesNot(long budgetBytes)
    {
        using var pile = Piles.Create(budgetBytes);
        var largest = (int)(pile.Layout.BlockCount * Cluster.Pile.Layout.BlockLayout.BlockBytes)
            - Cluster.Pile.Layout.SlotHeader.Bytes - Cluster.Pile.Layout.ExtendedWord.Bytes;
        var payload = Piles.Payload(3, largest + 1);
        Assert.Throws<PileFullException>(() => pile.Put(payload));
        Piles.CheckEmpty(pile);
        var pointer = pile.Put(payload.AsSpan(1));
        Assert.Equal(largest, pile.SizeOf(pointer));
        Assert.True(pile.GetBytes(pointer).AsSpan().SequenceEqual(payload.AsSpan(1)));
        Assert.Throws<PileFullException>(() => pile.Put("x"u8));
        Assert.Throws<PileFullException>(() => pile.Put(pointer, payload));
        Assert.True(pile.Delete(pointer));
        Assert.False(pile.Delete(pointer));
        Piles.CheckEmpty(pile);
    }

    [Theory]
    [InlineData("")]
    [InlineData("plain")]
    [InlineData("Grüße")]
    [InlineData("中文 \ud83d\ude00")]
    public void String_PutAndGot_IsEqual(string text)
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(text);
        Assert.Equal(text, pile.GetString(pointer));
        Assert.True(pile.Delete(pointer));
    }

    [Fact]
    public void String_Long_IsEqual()
    {
        using var pile = Piles.Create();
        foreach (var length in (int[])[511, 512, 513, 5000, 300_000])
        {
            var latin = string.Create(length, 0, (span, _) => span.Fill('é'));
            var wide = string.Create(length, 0, (span, _) => span.Fill('я'));
            Assert.Equal(latin, pile.GetString(pile.Put(latin)));
            Assert.Equal(wide, pile.GetString(pile.Put(wide)));
            Assert.Equal(length, pile.SizeOf(pile.Put(latin)));
        }
    }

    [Fact]
    public void Get_OfAnotherKind_IsRefused()
    {
        using var pile = Piles.Create();
        var bytes = pile.Put("abc"u8);
        var text = pile.Put("abc");
        Assert.Throws<InvalidCastException>(() => pile.GetString(bytes));
        Assert.Throws<InvalidCastException>(() => pile.GetBytes(text));
    }

    [Fact]
    public void Read_IntoTooLittle_IsRefusedAndCopiesNothing()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put("abcdef"u8);
        var buffer = new byte[5];
        Assert.Throws<ArgumentException>(() => pile.Read(pointer, buffer));
        Assert.Equal(new byte[5], buffer);
    }

    [Fact]
    public void Purge_OfMany_EndsAllPointersAndCounters()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 20_000).Select(i => pile.Put(Piles.Payload((ulong)i, i % 700))).ToList();
        pointers.Add(pile.Put(new byte[1 << 20]));
        pile.Purge();
        Piles.CheckEmpty(pile);
        Assert.All(pointers, p => Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(p)));

        var again = Enumerable.Range(0, 20_000).Select(i => pile.Put(Piles.Payload((ulong)i, i % 700))).ToList();
        Assert.All(pointers, p => Assert.False(pile.Delete(p)));
        Assert.All(again, p => Assert.True(pile.SizeOf(p) >= 0));
    }

    [Fact]
    public void Dispose_Twice_EndsEveryOperation()
    {
        var pile = Piles.Create();
        var pointer = pile.Put("abc"u8);
        pile.Dispose();
        pile.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pile.SizeOf(pointer));
        Assert.Throws<ObjectDisposedException>(() => pile.Put("abc"u8));
        Assert.Throws<ObjectDisposedException>(() => pile.Put(pointer, "abc"u8));
        Assert.Throws<ObjectDisposedException>(() => pile.Delete(pointer));
        Assert.Throws<ObjectDisposedException>(() => pile.GetStatistics());
        Assert.Throws<ObjectDisposedException>(pile.Purge);
    }
}
