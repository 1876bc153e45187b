using Cluster.Pile.Expiry;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Tables;

public sealed class RecordExpiryTests
{
    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Record_PastItsDeadline_IsNotThereAnyMore()
    {
        using var pile = Create();
        var store = pile.Records.Create();
        Put(store, 1, TimeSpan.FromSeconds(10));
        Put(store, 2, TimeSpan.FromSeconds(20));
        _clock.Advance(TimeSpan.FromSeconds(9.8));
        Assert.Equal(RecordStatus.Found, Records.Get(store, 1, out _));
        _clock.Advance(TimeSpan.FromSeconds(0.2));
        Assert.Equal(RecordStatus.Missing, Records.Get(store, 1, out _));
        Assert.Equal(RecordStatus.Found, Records.Get(store, 2, out _));
        Assert.Equal(RecordStatus.Inserted, Put(store, 1, TimeSpan.FromSeconds(10)));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void Memory_OfEndedRecords_ComesBackWithinAWindow()
    {
        using var pile = Create();
        var store = pile.Records.Create();
        var random = new Random(5);
        for (long id = 0; id < 50_000; id++)
            Put(store, id, TimeSpan.FromSeconds(1 + (random.NextDouble() * 100)));
        Assert.Equal(50_000, store.Count);
        _clock.Advance(TimeSpan.FromSeconds(50));
        _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(store.Count, 20_000, 37_000);
        RecordValidator.Check(pile, store);
        for (var second = 0; second < 77; second++)
            _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, store.Count);
        Assert.Equal(0, store.Log.Blocks);
    }

    [Fact]
    public void Record_WhoseDeadlineMovedOn_OutlivesItsSegment()
    {
        using var pile = Create();
        var store = pile.Records.Create();
        for (long id = 0; id < 1000; id++)
            Put(store, id, TimeSpan.FromSeconds(10));
        SetDeadline(store, 7, TimeSpan.FromSeconds(100));
        SetDeadline(store, 8, TimeSpan.FromSeconds(5));
        Assert.Equal(RecordStatus.Missing, SetDeadline(store, 1000, TimeSpan.FromSeconds(5)));
        _clock.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(RecordStatus.Missing, Records.Get(store, 8, out _));
        Assert.Equal(RecordStatus.Found, Records.Get(store, 9, out _));
        for (var second = 0; second < 20; second++)
            _clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(RecordStatus.Found, Records.Get(store, 7, out _));
        Assert.Equal(1, store.Count);
        RecordValidator.Check(pile, store);
        _clock.Advance(TimeSpan.FromSeconds(150));
        Assert.Equal(0, store.Count);
    }

    /// <summary>Records that were read often stay in main segments when sparse segments are merged.</summary>
    [Fact]
    public void Merge_OfMainSegmentsWithDeadlines_KeepsTheRecordsInMainSegments()
    {
        using var pile = Create();
        var store = pile.Records.Create(new RecordTableOptions { MayForget = true });
        const int count = 5_000;
        for (long id = 0; id < count; id++)
            Put(store, id, TimeSpan.FromHours(1));
        // Eviction takes one read from a record that it keeps, so each turn reads all of them again.
        for (var turn = 0; turn < 100 && Segments(store).Any(static segment => !segment.Class.IsMain); turn++)
        {
            for (long id = 0; id < 2 * count; id++)
                Assert.Equal(RecordStatus.Found, Records.Get(store, id % count, out _));
            Assert.True(store.Sweeper.TryEvict(store.Sweeper.Evictions, byte.MaxValue, out _));
        }

        Assert.Equal(count, store.Count);
        Assert.All(Segments(store), static segment => Assert.True(segment.Class.IsMain));

        for (long id = 0; id < count; id++)
        {
            if (id % 4 != 0)
                Records.Remove(store, id);
        }

        Assert.NotEqual(0, store.Sweeper.Merge());
        Assert.Equal(count / 4, store.Count);
        Assert.All(Segments(store), static segment => Assert.True(segment.Class.IsMain));
        RecordValidator.Check(pile, store);
    }

    [Fact]
    public void Pointer_OfAnEndedRecord_EndsWithIt()
    {
        using var pile = Create();
        var store = pile.Records.Create();
        var pointer = pile.Put("owned"u8);
        long id = 1;
        var form = Form(store, TimeSpan.FromSeconds(2)) with { Kind = RecordKind.Pointer };
        store.Put(RecordKey.Of(store.Hash, in id), form, BitConverter.GetBytes(pointer.ToUInt64()));
        _clock.Advance(TimeSpan.FromSeconds(10));
        Assert.False(pile.IsLive(pointer));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(1000)]
    [InlineData(25_920_000)]
    public void Window_OfAnyLife_IsAtMostAQuarterOfIt(int steps)
    {
        for (uint now = 1; now < 2000; now += 37)
        {
            var logClass = LogClass.Of(0, now + (uint)steps, now);
            var lag = DeadlineSteps.OfRecords.Until(logClass.End, now + (uint)steps);
            Assert.InRange(lag, 1, Math.Max(8, steps / 4));
            Assert.True(logClass.MayHold(now + (uint)steps));
        }
    }

    private static IEnumerable<LogSegment> Segments(RecordStore store) =>
        store.Log.Snapshot().Where(static segment => !segment.IsEmptied);

    private LocalPile Create() => new(new PileOptions { BudgetBytes = 64 * Piles.MiB, TimeProvider = _clock });

    private static RecordForm Form(RecordStore store, TimeSpan life) =>
        new() { IsTimed = true, Deadline = store.Clock.DeadlineAfter(life) };

    private static RecordStatus Put(RecordStore store, long id, TimeSpan life) =>
        store.Put(RecordKey.Of(store.Hash, in id), Form(store, life), Piles.Payload((ulong)id, 50));

    private static RecordStatus SetDeadline(RecordStore store, long id, TimeSpan life) =>
        store.SetTimes(
            RecordKey.Of(store.Hash, in id), new RecordTimes(store.Clock.DeadlineAfter(life), store.Clock.Now));
}
