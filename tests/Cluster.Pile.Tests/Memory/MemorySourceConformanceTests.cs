using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Memory;

/// <summary>What every memory source has to do, run on each one that this system has.</summary>
public sealed class MemorySourceConformanceTests
{
    private const long RangeBytes = 6 * Piles.MiB;

    private static readonly Dictionary<string, INativeMemorySource> OfThisSystem = new INativeMemorySource[]
    {
        NativeMemorySource.ForThisSystem,
        new PortableMemorySource(),
    }.DistinctBy(source => source.GetType().Name).ToDictionary(source => source.GetType().Name);

    public static TheoryData<string> Sources { get; } = [.. OfThisSystem.Keys];

    [Theory]
    [MemberData(nameof(Sources))]
    public void Committed_IsZero_KeepsWhatIsWritten_AndStaysSoWhenCommittedAgain(string source)
    {
        var range = Reserve(source);
        var window = range.OpenWindow();
        Assert.All(Offsets(), offset => Assert.Equal(0UL, window.ReadWord(offset)));
        foreach (var offset in Offsets())
            window.WriteWord(offset, (ulong)offset + 1);
        Assert.True(range.TryCommit(0, RangeBytes));
        Assert.True(range.TryCommit(BlockLayout.BlockBytes, BlockLayout.BlockBytes));
        Assert.All(Offsets(), offset => Assert.Equal((ulong)offset + 1, window.ReadWord(offset)));
        NativeRangePool.Return(range);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void AdvisedAndPrepared_IsZero_AndTheRestKeepsWhatIsWritten(string source)
    {
        var range = Reserve(source);
        var window = range.OpenWindow();
        foreach (var offset in Offsets().Where(offset => offset < 2 * Piles.MiB))
            window.WriteWord(offset, (ulong)offset + 1);
        range.AdviseSmallPages(0, 2 * Piles.MiB);
        range.AdviseHugePages(2 * Piles.MiB, 4 * Piles.MiB);
        Assert.True(range.TryPrepare(2 * Piles.MiB, RangeBytes - (2 * Piles.MiB)));
        Assert.All(Offsets(), offset => Assert.Equal(
            offset < 2 * Piles.MiB ? (ulong)offset + 1 : 0, window.ReadWord(offset)));
        NativeRangePool.Return(range);
    }

    [RequiresFileFact(ResidentMemory.PageMap)]
    public void Prepared_IsResident()
    {
        var range = Reserve(nameof(LinuxMemorySource));
        range.AdviseSmallPages(0, RangeBytes);
        var before = ResidentMemory.Of(range.Address, range.Length);
        Assert.True(range.TryPrepare(2 * Piles.MiB, Piles.MiB));
        Assert.Equal(Piles.MiB, ResidentMemory.Of(range.Address, range.Length) - before);
        NativeRangePool.Return(range);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Discarded_IsZeroAndUsableAgain_AndLeavesTheRestAlone(string source)
    {
        var range = Reserve(source);
        var window = range.OpenWindow();
        foreach (var offset in Offsets())
            window.WriteWord(offset, 7);
        range.Discard(2 * Piles.MiB, 2 * Piles.MiB);
        Assert.All(Offsets(), offset => Assert.Equal(
            offset / (2 * Piles.MiB) == 1 ? 0UL : 7, window.ReadWord(offset)));
        window.WriteWord(2 * Piles.MiB, 9);
        Assert.Equal(9UL, window.ReadWord(2 * Piles.MiB));
        NativeRangePool.Return(range);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Reserve_OfMoreThanThereAreAddresses_IsRefused(string source) =>
        Assert.Equal(0, OfThisSystem[source].Reserve(1L << 60));

    [Theory]
    [MemberData(nameof(Sources))]
    public void Window_OutsideItsRange_ThrowsInRelease(string source)
    {
        var range = Reserve(source);
        var window = range.OpenWindow();
        var end = window.Length;
        foreach (var offset in (long[])[-8, -1, end - 7, end, long.MaxValue, long.MinValue])
        {
            Assert.Throws<InvalidOperationException>(() => window.ReadWord(offset));
            Assert.Throws<InvalidOperationException>(() => window.WriteWord(offset, 1));
            Assert.Throws<InvalidOperationException>(() => window.CopyOut(offset, new byte[8]));
            Assert.Throws<InvalidOperationException>(() => window.CopyIn(offset, new byte[8]));
            Assert.Throws<InvalidOperationException>(() => window.TryExchangeWord(offset, 0, 1));
            Assert.Throws<InvalidOperationException>(() => window.AddToWord(offset, 1));
        }

        range.TryCommit(0, end);
        window.WriteWord(end - 8, 5);
        window.AddToWord(end - 8, 2);
        Assert.False(window.TryExchangeWord(end - 8, 6, 1));
        Assert.True(window.TryExchangeWord(end - 8, 7, 9));
        window.Touch(end - 8);
        Assert.Equal(9UL, window.ReadWord(end - 8));
        NativeRangePool.Return(range);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Range_Returned_IsZero_StaysReadable_AndIsTakenOverByTheNextOfItsSize(string source)
    {
        const long bytes = 11 * Piles.MiB;
        var own = new OwnMemorySource(OfThisSystem[source]);
        var range = NativeRangePool.Rent(own, bytes);
        Assert.Equal(0, range.Address % BlockLayout.SegmentBytes);
        Assert.True(range.TryCommit(0, bytes));
        var window = range.OpenWindow();
        window.WriteWord(4096, 77);
        window.WriteWord(bytes - 8, 78);
        NativeRangePool.Return(range);
        Assert.Equal(0UL, window.ReadWord(4096));
        Assert.Equal(0UL, window.ReadWord(bytes - 8));
        Assert.Same(range, NativeRangePool.Rent(own, bytes));
        Assert.NotSame(range, NativeRangePool.Rent(own, bytes));
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Pile_FilledEmptiedAndPurged_GivesEveryObjectBack(string source)
    {
        var options = new PileOptions
        {
            BudgetBytes = 48 * Piles.MiB,
            ReserveBytes = 4 * Piles.MiB,
            MemorySource = OfThisSystem[source],
        };
        using var pile = new LocalPile(options);
        for (var round = 0; round < 3; round++)
        {
            var pointers = Enumerable.Range(0, 25_000).Select(i => pile.Put(Piles.Payload((ulong)i, i % 1500))).ToList();
            for (var i = 0; i < pointers.Count; i++)
                Assert.True(Piles.IsPayload(pile.GetBytes(pointers[i]), (ulong)i));
            if (round == 1)
                pile.Purge();
            Assert.Equal(round == 1 ? 0 : pointers.Count, pointers.Count(pile.Delete));
            Assert.All(pointers, pointer => Assert.False(pile.IsLive(pointer)));
            PileChecks.AllSlotsAreFree(pile);
        }
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Memory_KeptPastDispose_ReadsZeroAndNeverFaults(string source)
    {
        var options = new PileOptions { BudgetBytes = 31 * Piles.MiB, MemorySource = OfThisSystem[source] };
        var pile = new LocalPile(options);
        var pointers = Enumerable.Range(1, 1000).Select(i => pile.Put(Piles.Payload((ulong)i, 9000))).ToList();
        var (window, layout) = (pile.Window, pile.Layout);
        pile.Dispose();
        var late = new byte[9000];
        foreach (var pointer in pointers)
        {
            late.AsSpan().Fill(1);
            window.CopyOut(layout.OriginOffset + ((pointer.Granule + 1) * PilePointer.GranuleBytes), late);
            Assert.False(late.AsSpan().ContainsAnyExcept((byte)0));
        }
    }

    private static NativeRange Reserve(string source)
    {
        var range = NativeRangePool.Rent(OfThisSystem[source], RangeBytes);
        Assert.True(range.TryCommit(0, RangeBytes));
        return range;
    }

    private static IEnumerable<long> Offsets()
    {
        for (long offset = 0; offset < RangeBytes; offset += 512 * 1024)
            yield return offset;
        yield return RangeBytes - 8;
    }
}
