using Cluster.Pile.Memory;

namespace Cluster.Pile.Tests;

/// <summary>Windows, ranges, sources and limits.</summary>
public sealed class MemoryTests
{
    public static TheoryData<bool> Sources { get; } = [true, false];

    [Theory]
    [MemberData(nameof(Sources))]
    public void Window_OutsideItsRange_ThrowsInRelease(bool portable)
    {
        var range = NativeRangePool.Rent(Source(portable), Piles.MiB);
        var window = range.OpenWindow();
        Assert.Equal(Piles.MiB, window.Length);
        foreach (var offset in (long[])[-8, -1, Piles.MiB - 7, Piles.MiB, long.MaxValue, long.MinValue])
        {
            Assert.Throws<InvalidOperationException>(() => window.ReadWord(offset));
            Assert.Throws<InvalidOperationException>(() => window.WriteWord(offset, 1));
            Assert.Throws<InvalidOperationException>(() => window.CopyOut(offset, new byte[8]));
            Assert.Throws<InvalidOperationException>(() => window.CopyIn(offset, new byte[8]));
            Assert.Throws<InvalidOperationException>(() => window.TryExchangeWord(offset, 0, 1));
            Assert.Throws<InvalidOperationException>(() => window.AddToWord(offset, 1));
        }

        window.WriteWord(Piles.MiB - 8, 5);
        window.AddToWord(Piles.MiB - 8, 2);
        Assert.False(window.TryExchangeWord(Piles.MiB - 8, 6, 1));
        Assert.True(window.TryExchangeWord(Piles.MiB - 8, 7, 9));
        window.Touch(Piles.MiB - 8);
        Assert.Equal(9UL, window.ReadWord(Piles.MiB - 8));
        NativeRangePool.Return(range);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Range_Returned_IsZeroedStaysReadableAndIsReused(bool portable)
    {
        var bytes = 5 * Piles.MiB + (portable ? 64 : 128);
        var range = NativeRangePool.Rent(Source(portable), bytes);
        Assert.Equal(0, range.Address % BlockLayout.SegmentBytes);
        var window = range.OpenWindow();
        window.WriteWord(4096, 77);
        NativeRangePool.Return(range);
        Assert.Equal(0UL, window.ReadWord(4096));
    }

    [Fact]
    public void Range_OfMoreThanTheSystemGives_IsRefusedWithAMessage()
    {
        var refused = Assert.Throws<InsufficientMemoryException>(
            () => NativeRangePool.Rent(NativeMemorySource.ForThisSystem, 1L << 60));
        Assert.Contains(nameof(PileOptions.BudgetBytes), refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Pile_OnThePortableSource_Works()
    {
        for (var round = 0; round < 3; round++)
        {
            var options = new PileOptions { BudgetBytes = 32 * Piles.MiB, MemorySource = new PortableMemorySource() };
            using var pile = new LocalPile(options);
            var pointers = Enumerable.Range(0, 25_000).Select(i => pile.Put(Piles.Payload((ulong)i, i % 1500))).ToList();
            for (var i = 0; i < pointers.Count; i++)
                Assert.True(Piles.IsPayload(pile.GetBytes(pointers[i]), (ulong)i));
            Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
            PileChecks.AllSlotsAreFree(pile);
        }
    }

    [Fact]
    public void Options_WithSeveralProblems_NameAllOfThem()
    {
        var options = new PileOptions { BudgetBytes = 1000, ReserveBytes = -1, TimeProvider = null! };
        var refused = Assert.Throws<ArgumentException>(() => new LocalPile(options));
        Assert.Contains(nameof(PileOptions.BudgetBytes), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PileOptions.ReserveBytes), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PileOptions.TimeProvider), refused.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => new LocalPile(null!));
    }

    [Theory]
    [InlineData("0::/system.slice/a.service", "/system.slice/a.service")]
    [InlineData("0::/", "/")]
    [InlineData("5:memory:/docker/1", "/memory/docker/1")]
    [InlineData("6:cpu,memory:/x", "/memory/x")]
    [InlineData("7:cpu:/x", null)]
    [InlineData("nonsense", null)]
    public void GroupPath_OfALine_IsFound(string line, string? path) => Assert.Equal(path, MemoryLimit.GroupPath(line));

    [Theory]
    [InlineData("1073741824\n", 1073741824L)]
    [InlineData("max\n", null)]
    [InlineData("9223372036854771712\n", null)]
    [InlineData("", null)]
    public void Limit_OfAFile_IsParsed(string text, long? bytes) => Assert.Equal(bytes, MemoryLimit.Parse(text));

    [Fact]
    public void Limit_Smallest_AllowsThisTestRun()
    {
        if (MemoryLimit.Smallest() is { } limit)
            Assert.True(limit.Bytes > Piles.MiB && limit.Name.Length > 0);
    }

    private static INativeMemorySource Source(bool portable)
        => portable ? new PortableMemorySource() : NativeMemorySource.ForThisSystem;
}
