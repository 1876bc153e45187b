using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Tests.Tables;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Cache tables and cells in a mapped folder, in the next process after a clean end and after a
/// death.</summary>
public sealed class MappedTablesTests : IDisposable
{
    private const int Count = 400;

    private readonly ManualTimeProvider _clock = new();
    private TestFolder _folder = new();

    public enum Color
    {
        Red = 1,
        Blue = -2,
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Values_OfEveryKind_AreThereInTheNextProcess(bool isClean)
    {
        var pile = Attach();
        var (texts, people) = (Table<string, string>(pile, "texts"), Table<Guid, Person>(pile, "people"));
        var (blobs, mixed) = (Table<long, byte[]>(pile, "blobs"), Table<Color, object>(pile, "mixed"));
        for (var i = 0; i < Count; i++)
        {
            texts.Put($"key {i}", Text(i), i % 4);
            people.Put(IdOf(i), new Person($"person {i}", i), i % 3);
            blobs.Put(i - 10, Piles.Payload((ulong)i, i * 13 % 1500));
        }

        blobs.Put(-1000, Piles.Payload(7, 900_000));
        mixed.Put(Color.Red, new Version(1, 2));
        mixed.Put(Color.Blue, "text");
        using (pile = Next(pile, isClean))
        {
            (texts, people) = (Table<string, string>(pile, "texts"), Table<Guid, Person>(pile, "people"));
            (blobs, mixed) = (Table<long, byte[]>(pile, "blobs"), Table<Color, object>(pile, "mixed"));
            Assert.Equal((Count, Count, Count + 1, 2), (texts.Count, people.Count, blobs.Count, mixed.Count));
            for (var i = 0; i < Count; i++)
            {
                Assert.True(texts.TryGet($"key {i}", out var text) && text == Text(i));
                Assert.True(people.TryGet(IdOf(i), out var person) && person == new Person($"person {i}", i));
                Assert.True(blobs.TryGet(i - 10, out var blob) && Piles.IsPayload(blob, (ulong)i));
            }

            Assert.True(blobs.TryGet(-1000, out var large) && Piles.IsPayload(large, 7));
            Assert.True(mixed.TryGet(Color.Red, out var version) && version.Equals(new Version(1, 2)));
            Assert.True(mixed.TryGet(Color.Blue, out var blue) && blue.Equals("text"));
            Check(pile);
            CheckGoesOn(pile, blobs);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Cells_AreThereInTheNextProcess_AsTheyWereLastSaved(bool isClean)
    {
        var pile = Attach();
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (long id = 0; id < Count; id++)
            cells.Save(id, (ushort)id, Piles.Payload((ulong)id, 100));
        for (long id = 0; id < Count; id += 3)
            cells.Save(id, 9, Piles.Payload((ulong)id + 1, (int)id));
        for (long id = 1; id < Count; id += 3)
            Assert.True(cells.Remove(id));

        // One is in the hands of a thread that does not come to its end.
        var inUse = cells.Use(5);
        inUse.Resize(50);
        inUse.Edit().Clear();
        using (pile = Next(pile, isClean))
        {
            cells = CellTable.GetOrCreate(pile, "cells");
            for (long id = 0; id < Count; id++)
            {
                var isThere = cells.TryLoad(id, out var bytes, out var type);
                Assert.Equal(id % 3 != 1, isThere);
                var (seed, expected) = id % 3 == 0 ? ((ulong)id + 1, (ushort)9) : ((ulong)id, (ushort)id);
                Assert.True(!isThere || (type == expected && Piles.IsPayload(bytes, seed)));
            }

            Check(pile);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Lives_GoOn_WhileNobodyHasTheFolder(bool isClean)
    {
        var pile = Attach();
        var options = new CacheTableOptions { SlidingExpiration = TimeSpan.FromHours(3), TracksAge = true };
        var (table, sliding) = (Table<int, string>(pile, "table"), Table<int, string>(pile, "sliding", options));
        table.Put(1, "brief", maxAge: TimeSpan.FromMinutes(1));
        table.Put(2, "longer", maxAge: TimeSpan.FromHours(2));
        table.Put(3, "for ever");
        table.PutPointer(4, pile.Put("owned"), maxAge: TimeSpan.FromMinutes(1));
        sliding.Put(1, "slides", absoluteExpiration: _clock.GetUtcNow().AddHours(4));
        _clock.Advance(TimeSpan.FromSeconds(30));
        table.Put(5, "put later", maxAge: TimeSpan.FromMinutes(40));
        pile = Next(pile, isClean, () => _clock.Advance(TimeSpan.FromHours(1)));
        table = Table<int, string>(pile, "table");
        Assert.False(table.TryGet(1, out _) || table.TryGet(4, out _) || table.TryGet(5, out _));
        Assert.True(table.TryGet(2, out _) && table.TryGet(3, out _));
        Assert.Equal(0, pile.GetStatistics().Objects);

        // The options of the table are those with which it was made.
        sliding = Table<int, string>(pile, "sliding");
        Assert.True(sliding.TryGet(1, out _));
        using (pile = Next(pile, isClean, () => _clock.Advance(TimeSpan.FromHours(2))))
        {
            (table, sliding) = (Table<int, string>(pile, "table"), Table<int, string>(pile, "sliding"));
            Assert.False(table.TryGet(2, out _));
            Assert.True(sliding.TryGet(1, out _));
            _clock.Advance(TimeSpan.FromHours(1));
            Assert.False(sliding.TryGet(1, out _));
            Assert.True(table.TryGet(3, out _));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ClockThatWasSetBack_LengthensNoLife(bool isClean)
    {
        var wall = new WallClock();
        var pile = new LocalPile(_folder.Options(time: wall));
        Table<int, string>(pile, "table").Put(1, "an hour", maxAge: TimeSpan.FromHours(1));
        wall.Advance(TimeSpan.FromMinutes(50));
        if (isClean)
            pile.Dispose();
        else
            Replace(pile);
        wall.SetBack(TimeSpan.FromHours(20));
        using var next = new LocalPile(_folder.Options(time: wall));
        var table = Table<int, string>(next, "table");
        Assert.True(table.TryGet(1, out _));
        wall.Advance(TimeSpan.FromMinutes(isClean ? 11 : 61));
        Assert.False(table.TryGet(1, out _));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void OwnedObjects_AndTheirEntries_SurviveTogether(bool isClean)
    {
        var pile = Attach();
        var table = Table<int, Person>(pile, "table");
        var pointers = Enumerable.Range(0, 20).Select(i => pile.Put(new Person("owned", i))).ToList();
        for (var i = 0; i < 20; i++)
            table.PutPointer(i, pointers[i]);
        table.Put(3, new Person("not owned", 3));
        Assert.True(table.Remove(4));

        // Ends when its view does, which is not before the process.
        var view = pile.OpenView(pointers[5]);
        Assert.True(table.Remove(5));
        Replace(pile, isClean, view);
        using var next = Attach();
        table = Table<int, Person>(next, "table");
        for (var i = 0; i < 20; i++)
        {
            var isOwned = i is < 3 or > 5;
            Assert.Equal(isOwned, next.IsLive(pointers[i]));
            Assert.Equal(isOwned, table.TryGetPointer(i, out var pointer) && pointer == pointers[i]);
            Assert.Equal(i is not (4 or 5), table.TryGet(i, out var person));
            Assert.True(i is 4 or 5 || person!.Age == i);
        }

        Assert.Equal(17, next.GetStatistics().Objects);
        table.Clear();
        Piles.CheckEmpty(next);
    }

    [Fact]
    public void Tables_OfOtherTypesOrKeys_AreRefused_AndKeepWhatTheyHave()
    {
        using (var pile = Attach())
            Table<int, string>(pile, "table").Put(1, "one");
        using var next = Attach();
        Assert.Equal(["table"], new PileCache(next).TableNames);
        Assert.Throws<InvalidOperationException>(() => Table<long, string>(next, "table"));
        Assert.Throws<InvalidOperationException>(() => Table<int, byte[]>(next, "table"));
        Assert.True(Table<int, string>(next, "table").TryGet(1, out var one));
        Assert.Equal("one", one);
    }

    [Fact]
    public void LimitsChangedAtRunTime_AreThoseOfTheNextProcess()
    {
        using (var pile = Attach())
        {
            Table<int, byte[]>(pile, "table").MaxBytes = 3 * Piles.MiB;
            Table<int, byte[]>(pile, "table").MaxEntries = 900;
        }

        using var next = Attach();
        var table = Table<int, byte[]>(next, "table");
        Assert.Equal((3 * Piles.MiB, 900), (table.MaxBytes, table.MaxEntries));
        for (var i = 0; i < 1000; i++)
            table.Put(i, Piles.Payload((ulong)i, 10_000));
        Assert.InRange(next.Records.All[0].ReservedBytes, 0, 3 * Piles.MiB);
    }

    [Fact]
    public void Purged_AndReattached_HasItsTablesEmpty()
    {
        using (var pile = Attach())
        {
            Table<int, string>(pile, "table").Put(1, "one");
            CellTable.GetOrCreate(pile, "cells").Save(1, 1, "cell"u8);
            pile.Purge();
            CellTable.GetOrCreate(pile, "cells").Save(2, 1, "cell"u8);
        }

        using var next = Attach();
        Assert.Empty(Table<int, string>(next, "table").Enumerate());
        Assert.Equal([2L], CellTable.GetOrCreate(next, "cells").EnumerateIds());
    }

    [Fact]
    public void Budget_LargerAndSmaller_KeepsEntries()
    {
        foreach (var budget in (long[])[16, 64, 24, 16])
        {
            using var pile = _folder.Attach(budget * Piles.MiB);
            var table = Table<int, byte[]>(pile, "table", new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
            for (var i = 0; i < 5000; i++)
            {
                Assert.True(budget == 16 || (table.TryGet(i, out var value) && Piles.IsPayload(value, (ulong)i)));
                Assert.NotEqual(PutResult.Refused, table.Put(i, Piles.Payload((ulong)i, 500)));
            }

            pile.Compact();
            Check(pile);
        }
    }

    /// <summary>Folders that are attached and left again and again neither grow nor lose anything.</summary>
    [Fact]
    public void Reattached_ManyTimes_NeitherGrowsNorLoses()
    {
        for (var round = 0; round < 40; round++)
        {
            using var pile = Attach();
            var cells = CellTable.GetOrCreate(pile, "cells");
            Assert.Equal(round == 0 ? 0 : 1000, cells.Count);
            for (long id = 0; id < 1000; id++)
                cells.Save(id, (ushort)round, Piles.Payload((ulong)id, 100));
            Assert.InRange(cells.ReservedBytes, 0, 8 * Piles.MiB);
            if (round % 2 == 0)
                Replace(pile);
        }
    }

    private LocalPile Attach() => new(_folder.Options(time: _clock));

    private LocalPile Next(LocalPile pile, bool isClean, Action? meanwhile = null)
    {
        if (!isClean)
            Replace(pile);
        pile.Dispose();
        meanwhile?.Invoke();
        return Attach();
    }

    private void Replace(LocalPile pile, bool isClean, PileView view)
    {
        if (!isClean)
            Replace(pile);
        view.Dispose();
        pile.Dispose();
    }

    // By what the death of its process would leave.
    private void Replace(LocalPile pile)
    {
        var copy = _folder.CopyAsIfKilled();
        pile.Dispose();
        _folder.Dispose();
        _folder = copy;
    }

    private static CacheTable<TKey, TValue> Table<TKey, TValue>(
        LocalPile pile, string name, CacheTableOptions? options = null)
        where TKey : notnull
        where TValue : notnull =>
        new PileCache(pile).GetOrCreateTable<TKey, TValue>(name, options);

    private static void Check(LocalPile pile)
    {
        PileValidator.Check(pile);
        Assert.All(pile.Records.All, store => RecordValidator.Check(pile, store));
    }

    private static void CheckGoesOn(LocalPile pile, CacheTable<long, byte[]> table)
    {
        for (var round = 0; round < 3; round++)
        {
            for (var i = 0; i < Count; i++)
                Assert.NotEqual(PutResult.Refused, table.Put(i, Piles.Payload((ulong)i, 2000 - i - round)));
            pile.Compact();
            Check(pile);
        }

        for (var i = 0; i < Count; i++)
            Assert.True(table.TryGet(i, out var value) && Piles.IsPayload(value, (ulong)i));
    }

    private static string Text(int i) => i % 2 == 0 ? new string('é', i) : $"{i} \u4f60";

    private static Guid IdOf(int i) => new(i, 1, 2, [3, 4, 5, 6, 7, 8, 9, 10]);

    public sealed record Person(string Name, int Age);

    /// <summary>A clock whose wall time can be set back while the monotonic one goes on.</summary>
    private sealed class WallClock : TimeProvider
    {
        private long _ticks = System.GetUtcNow().UtcTicks;
        private long _back;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public void Advance(TimeSpan time) => _ticks += time.Ticks;

        public void SetBack(TimeSpan time) => _back += time.Ticks;

        public override DateTimeOffset GetUtcNow() => new(_ticks - _back, TimeSpan.Zero);

        public override long GetTimestamp() => _ticks;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new ManualTimeProvider().CreateTimer(callback, state, dueTime, period);
    }
}
