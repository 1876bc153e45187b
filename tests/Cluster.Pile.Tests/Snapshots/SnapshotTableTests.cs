using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Tables.Records;
using Cluster.Pile.Tests.Cells;
using Cluster.Pile.Tests.Tables;
using Cluster.Pile.Tests.Views;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Cache tables and cells are in snapshots, as they are at the cut, and come back by their names.</summary>
public sealed class SnapshotTableTests(ITestOutputHelper output) : IDisposable
{
    private readonly SnapshotDirectory _folder = new();
    private readonly ManualTimeProvider _clock = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Restore_OfCachesOfEveryKindOfValue_GivesThem()
    {
        using var pile = Piles.Create();
        var texts = Table<string, string>(pile, "texts");
        var bytes = Table<Guid, byte[]>(pile, "bytes");
        var graphs = Table<long, SnapshotTests.Node>(pile, "graphs");
        var mixed = Table<int, object>(pile, "mixed");
        var id = Guid.NewGuid();
        texts.Put("a", "Latin-1");
        texts.Put("\u20AC", "wide \u20AC");
        bytes.Put(id, Piles.Payload(1, 900_000));
        bytes.Put(Guid.Empty, ReadOnlySpan<byte>.Empty);
        graphs.Put(-7, new SnapshotTests.Node("one", new SnapshotTests.Node("two", null)));
        mixed.Put(1, "text");
        mixed.Put(2, (object)Piles.Payload(2, 10));
        mixed.Put(3, new SnapshotTests.Node("three", null));
        await pile.SaveAsync(_folder.Path);
        texts.Put("a", "later");
        texts.Put("b", "later");
        graphs.Remove(-7);

        using var restored = await _folder.RestoreAsync();

        Assert.Equal(["bytes", "graphs", "mixed", "texts"], new PileCache(restored).TableNames.Order());
        var found = Table<string, string>(restored, "texts");
        Assert.Equal(2, found.Count);
        Check(found, "a", "Latin-1");
        Check(found, "\u20AC", "wide \u20AC");
        Check(Table<Guid, byte[]>(restored, "bytes"), id, Piles.Payload(1, 900_000));
        Check(Table<Guid, byte[]>(restored, "bytes"), Guid.Empty, []);
        Check(Table<long, SnapshotTests.Node>(restored, "graphs"), -7, new("one", new("two", null)));
        Check(Table<int, object>(restored, "mixed"), 1, "text");
        Check<int, object>(Table<int, object>(restored, "mixed"), 2, Piles.Payload(2, 10));
        Check(Table<int, object>(restored, "mixed"), 3, new SnapshotTests.Node("three", null));
        CheckAll(restored);
        Assert.Equal(PutResult.Replaced, found.Put("a", "again"));
        Assert.Equal(PutResult.Inserted, found.Put("c", "new"));
    }

    [Fact]
    public async Task Restore_OfCells_GivesThem_OneInUseAsItWasBefore()
    {
        using var pile = Piles.Create();
        var cells = CellTable.GetOrCreate(pile, "graph");
        for (long id = 0; id < 2000; id++)
            cells.Save(id, (ushort)(id % 100), Piles.Payload((ulong)id, (int)(id % 400)));
        cells.Remove(5);

        // What an accessor changes is its own until it is disposed.
        using (new CellHolder(cells, 7))
            await pile.SaveAsync(_folder.Path);

        using var restored = await _folder.RestoreAsync();
        var found = CellTable.GetOrCreate(restored, "graph");
        Assert.Equal(1999, found.Count);
        Assert.False(found.Contains(5));
        foreach (var id in found.EnumerateIds())
        {
            Assert.True(found.TryLoad(id, out var bytes, out var type));
            Assert.Equal(id % 100, type);
            Assert.Equal(Piles.Payload((ulong)id, (int)(id % 400)), bytes);
        }

        CheckAll(restored);
        using (var cell = found.Use(7))
            cell.Replace(1, "new"u8);
        Assert.True(found.TryLoad(7, out var changed, out _));
        Assert.Equal("new"u8, changed);
    }

    [Fact]
    public async Task Table_AskedForOtherwiseThanItWasStored_IsRefusedWithBothNamed()
    {
        using var pile = Piles.Create();
        Table<long, string>(pile, "people").Put(1, "Ada");
        new PileCache(pile).GetOrCreateTable<DateOnly, string>("days", keys: new DayKeys()).Put(default, "new year");
        await pile.SaveAsync(_folder.Path);
        using var restored = await _folder.RestoreAsync();
        var cache = new PileCache(restored);
        CheckRefused(() => cache.GetOrCreateTable<long, byte[]>("people"), "System.String", "System.Byte[]");
        CheckRefused(() => cache.GetOrCreateTable<int, string>("people"), "int64", "int32");
        CheckRefused(() => cache.TryGetTable<string, string>("people", out _), "int64", "text");
        CheckRefused(
            () => cache.GetOrCreateTable<long, string>(
                "people", new CacheTableOptions { Kind = CacheTableKind.NonEvicting }),
            "people",
            "eviction");
        CheckRefused(() => cache.TryGetTable<DateOnly, string>("days", out _), "own:day-number", "DateOnly");
        CheckRefused(() => cache.GetOrCreateTable<int, string>("days"), "own:day-number", "int32");
        Assert.True(cache.TryGetTable<long, string>("people", out var people));
        Check(people, 1, "Ada");
        Check(cache.GetOrCreateTable<DateOnly, string>("days", keys: new DayKeys()), default, "new year");
    }

    [Fact]
    public async Task Table_WhoseValuesHaveARenamedType_IsOpenedByAlias()
    {
        using var pile = Piles.Create();
        pile.Records.Create(new RecordTableOptions
        {
            Name = "people", KeyForm = "int64", ValueForm = "Old.Name", MayForget = true,
        });
        await pile.SaveAsync(_folder.Path);
        using (var without = await _folder.RestoreAsync())
            CheckRefused(() => Table<long, SnapshotTests.Node>(without, "people"), "Old.Name", "Node");
        using var restored = await _folder.RestoreAsync(
            SnapshotDirectory.Options().Alias("Old.Name, Old.Assembly", typeof(SnapshotTests.Node)));
        Assert.Equal(0, Table<long, SnapshotTests.Node>(restored, "people").Count);
    }

    [Fact]
    public async Task Table_NotAskedFor_CountsAndIsInTheNextSnapshot_WithItsOptions()
    {
        var options = new CacheTableOptions
        {
            Kind = CacheTableKind.NonEvicting,
            MaxBytes = 8 * Piles.MiB,
            MaxAge = TimeSpan.FromHours(1),
            TracksAge = true,
        };
        using var pile = new LocalPile(Piles.Options(_clock, TimeSpan.Zero));
        var table = new PileCache(pile).GetOrCreateTable<long, string>("people", options);
        Table<long, string>(pile, "others").Put(1, "x");
        for (var i = 0; i < 100; i++)
            table.Put(i, $"person {i}");
        await pile.SaveAsync(_folder.Path);
        pile.Dispose();
        for (var round = 0; round < 3; round++)
        {
            _clock.Advance(TimeSpan.FromMinutes(10));
            using var next = await _folder.RestoreAsync(Piles.Options(_clock, TimeSpan.Zero));
            Assert.Equal(
                [("others", 1), ("people", 100)],
                next.Caches.Tables.Select(one => (one.Name, (int)one.Statistics!().Entries)).Order());
            await next.SaveAsync(_folder.Path);
        }

        using var restored = await _folder.RestoreAsync(Piles.Options(_clock, TimeSpan.Zero));
        var cache = new PileCache(restored);
        var people = cache.GetOrCreateTable<long, string>("people");
        Assert.Same(people, cache.GetOrCreateTable<long, string>("people", options));
        Assert.Equal(8 * Piles.MiB, people.MaxBytes);
        Assert.Null(Table<long, string>(restored, "others").MaxBytes);
        people.Put(1000, "young");
        _clock.Advance(TimeSpan.FromMinutes(31));
        Assert.False(people.TryGet(1, out _));
        Assert.True(people.TryGet(1000, out _));
        _clock.Advance(TimeSpan.FromMinutes(30));
        Assert.False(people.TryGet(1000, out _));
    }

    [Fact]
    public async Task Restore_AfterTime_HasCountedDeadlinesOn_AlsoWhenTheClockHasGoneRound()
    {
        using var pile = new LocalPile(Piles.Options(_clock, TimeSpan.Zero));
        var table = Table<int, string>(pile, "table");
        table.Put(1, "minute", maxAge: TimeSpan.FromMinutes(1));
        table.Put(2, "year", maxAge: TimeSpan.FromDays(365));
        table.Put(3, "for ever");
        table.PutPointer(4, pile.Put("owned"), maxAge: TimeSpan.FromMinutes(1));
        await pile.SaveAsync(_folder.Path);
        _clock.Advance(TimeSpan.FromMinutes(2));
        using (var restored = await _folder.RestoreAsync(Piles.Options(_clock, TimeSpan.Zero)))
        {
            Assert.Equal([2, 3], Table<int, string>(restored, "table").Enumerate().Select(one => one.Key).Order());
            Assert.Equal(2, Table<int, string>(restored, "table").Count);
            Assert.Equal(0, restored.GetStatistics().Objects);
            _clock.Advance(TimeSpan.FromDays(365));
            Assert.False(Table<int, string>(restored, "table").TryGet(2, out _));
        }

        // What was to end twelve years ago seems to lie ahead by the steps alone.
        _clock.Advance(TimeSpan.FromDays(12 * 365));
        using var muchLater = await _folder.RestoreAsync(Piles.Options(_clock, TimeSpan.Zero));
        Assert.Equal([3], Table<int, string>(muchLater, "table").Enumerate().Select(one => one.Key));
    }

    [Fact]
    public async Task Restore_WhenTheWallClockWentBack_GoesOnWhereItWas()
    {
        using var pile = new LocalPile(Piles.Options(_clock, TimeSpan.Zero));
        _clock.Advance(TimeSpan.FromDays(2));
        Table<int, string>(pile, "table").Put(1, "minute", maxAge: TimeSpan.FromMinutes(1));
        await pile.SaveAsync(_folder.Path);
        var early = new ManualTimeProvider();
        using var restored = await _folder.RestoreAsync(Piles.Options(early, TimeSpan.Zero));
        var table = Table<int, string>(restored, "table");
        Assert.True(table.TryGet(1, out _));
        early.Advance(TimeSpan.FromMinutes(1));
        Assert.False(table.TryGet(1, out _));
    }

    [Fact]
    public async Task OwnedObjects_AfterRestore_EndWithTheirEntries_AndNoneIsLeft()
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64 * Piles.MiB, PinWait = TimeSpan.Zero });
        var table = Table<int, string>(pile, "table");
        var (kept, gone, orphan) = (pile.Put("kept"), pile.Put("gone"), pile.Put("orphan"));
        table.PutPointer(1, kept);
        table.PutPointer(2, gone);
        table.PutPointer(3, orphan);
        pile.Delete(gone);
        using (new ViewHolder(pile, orphan, 1))
        {
            // The entry has ended and its object cannot yet.
            table.Remove(3);
            await pile.SaveAsync(_folder.Path);
        }

        using var restored = await _folder.RestoreAsync();
        var found = Table<int, string>(restored, "table");
        Check(found, 1, "kept");
        Assert.True(found.TryGetPointer(1, out var pointer));
        Assert.Equal(kept, pointer);
        Assert.False(found.TryGetPointer(2, out _));
        Assert.Equal(1, found.Count);
        Assert.False(restored.IsLive(orphan));
        Assert.Equal(1, restored.GetStatistics().Objects);
        found.Remove(1);
        Assert.False(restored.IsLive(kept));
    }

    [Fact]
    [Trait("Case", "pile-32")]
    public async Task Restore_IntoAnotherBudget_HasItsTables_OrNamesBoth()
    {
        using var pile = Piles.Create(64 * Piles.MiB);
        var durable = new CacheTableOptions { Kind = CacheTableKind.NonEvicting };
        var people = new PileCache(pile).GetOrCreateTable<long, byte[]>("people", durable);
        var recent = new PileCache(pile).GetOrCreateTable<long, byte[]>("recent");
        for (long i = 0; i < 10_000; i++)
            people.Put(i, Piles.Payload((ulong)i, 400));
        for (long i = 0; i < 10_000; i++)
            recent.Put(i, Piles.Payload((ulong)i, 400), priority: (int)(i % 3));
        await pile.SaveAsync(_folder.Path);
        var used = (people.GetStatistics().Bytes + recent.GetStatistics().Bytes) / Piles.MiB;

        using var larger = await _folder.RestoreAsync(SnapshotDirectory.Options(256 * Piles.MiB));
        Assert.Equal(10_000, Table<long, byte[]>(larger, "recent").Count);
        Assert.Null(Table<long, byte[]>(larger, "recent").MaxBytes);
        Assert.Equal(larger.Layout.BlockCount << 16, larger.Records.All[1].Options.LimitBytes);
        var refused = 0;
        for (var budget = used + 4; budget >= 4; budget -= 2)
            refused += await CheckBudgetAsync(budget * Piles.MiB) ? 0 : 1;
        output.WriteLine($"{used} MiB used, {refused} smaller budgets refused");
        Assert.InRange(refused, 1, used);
    }

    [Fact]
    [Trait("Case", "pile-31")]
    public Task Save_WhileTablesChange_IsExactlyTheStateOfTheCut() => CheckCutsAsync(rounds: 2);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task SavesWhileTablesChange_AreExactlyTheStatesOfTheCuts() => CheckCutsAsync(rounds: 8);

    [Theory]
    [InlineData(1L)]
    [InlineData(0L)]
    public async Task Save_WhenThereIsNoRoomForChangedSegments_FailsAndChangesGoOn(long logBytes)
    {
        using var pile = new LocalPile(new PileOptions
        {
            BudgetBytes = 32 * Piles.MiB,
            SnapshotLogBytes = logBytes,
            Files = new PausingFiles(out var pause),
        });
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (long id = 0; id < 40_000; id++)
            cells.Save(id, 1, Piles.Payload(1, 150));
        var saving = pile.SaveAsync(_folder.Path);
        await pause.Reached;
        for (long id = 0; id < 40_000; id++)
            cells.Save(id, 2, Piles.Payload(2, 150));
        FillUp(pile);
        pause.Continue();
        var failure = await Assert.ThrowsAsync<PileSnapshotException>(() => saving);
        Assert.Equal(PileSnapshotProblem.GivenUp, failure.Problem);
        Assert.Equal(40_000, cells.Count);
        Assert.Equal(0, pile.GetStatistics().BufferBytes);
        await pile.SaveAsync(_folder.Path);
        using var restored = await _folder.RestoreAsync();
        var found = CellTable.GetOrCreate(restored, "cells");
        Assert.True(found.TryLoad(39_999, out var bytes, out var type));
        Assert.Equal(2, type);
        Assert.Equal(Piles.Payload(2, 150), bytes);
    }

    [Fact]
    public async Task Restore_AfterEviction_KeepsPriorities()
    {
        using var pile = Piles.Create(16 * Piles.MiB);
        var table = Table<int, byte[]>(pile, "table");
        for (var i = 0; i < 1000; i++)
            table.Put(i, new byte[1000], priority: 5);
        await pile.SaveAsync(_folder.Path);
        using var restored = await _folder.RestoreAsync(SnapshotDirectory.Options(16 * Piles.MiB));
        var found = Table<int, byte[]>(restored, "table");
        for (var i = 1000; i < 40_000; i++)
            found.Put(i, new byte[1000], priority: 1);
        for (var i = 0; i < 1000; i++)
            Assert.True(found.TryGet(i, out _), $"Entry {i} of a higher priority went.");
        CheckAll(restored);
    }

    private static void FillUp(LocalPile pile)
    {
        try
        {
            while (true)
                pile.Put(Piles.Payload(3, 60_000));
        }
        catch (PileFullException)
        {
            // As it should be.
        }
    }

    private async Task CheckCutsAsync(int rounds)
    {
        for (var round = 0; round < rounds; round++)
        {
            using var folder = new SnapshotDirectory();
            using var pile = Piles.Create(128 * Piles.MiB);
            await SnapshotTableTraffic.CheckCutAsync(pile, folder, seed: Environment.ProcessId + round);
        }

        output.WriteLine($"{rounds} rounds, seed {Environment.ProcessId}");
    }

    private async Task<bool> CheckBudgetAsync(long budget)
    {
        try
        {
            using var restored = await _folder.RestoreAsync(SnapshotDirectory.Options(budget));
            Assert.Equal(10_000, Table<long, byte[]>(restored, "people").Count);
            Check(Table<long, byte[]>(restored, "people"), 9_999, Piles.Payload(9_999, 400));
            CheckAll(restored);
            return true;
        }
        catch (PileSnapshotException refused)
        {
            Assert.Equal(PileSnapshotProblem.BudgetTooSmall, refused.Problem);
            Assert.Contains($"{budget:N0}", refused.Message, StringComparison.Ordinal);
            return false;
        }
        catch (PileFullException full)
        {
            Assert.Equal(budget, full.BudgetBytes);
            Assert.True(full.NeededBytes > 0);
            return false;
        }
    }

    private static CacheTable<TKey, TValue> Table<TKey, TValue>(LocalPile pile, string name)
        where TKey : notnull
        where TValue : notnull =>
        new PileCache(pile).GetOrCreateTable<TKey, TValue>(name);

    private static void Check<TKey, TValue>(CacheTable<TKey, TValue> table, TKey key, TValue expected)
        where TKey : notnull
        where TValue : notnull
    {
        Assert.True(table.TryGet(key, out var found), $"There is no {key}.");
        Assert.Equal(expected, found);
    }

    private static void CheckAll(LocalPile pile)
    {
        PileValidator.Check(pile);
        foreach (var store in pile.Records.All)
            RecordValidator.Check(pile, store);
    }

    private static void CheckRefused(Action act, string first, string second)
    {
        var refused = Assert.Throws<InvalidOperationException>(act);
        Assert.Contains(first, refused.Message, StringComparison.Ordinal);
        Assert.Contains(second, refused.Message, StringComparison.Ordinal);
    }

    /// <summary>Days as their number.</summary>
    private sealed class DayKeys : IKeyCodec<DateOnly>
    {
        public string Form => "day-number";

        public bool TryEncode(DateOnly key, Span<byte> destination, out int length)
        {
            length = sizeof(int);
            return BitConverter.TryWriteBytes(destination, key.DayNumber);
        }

        public DateOnly Decode(ReadOnlySpan<byte> bytes) => DateOnly.FromDayNumber(BitConverter.ToInt32(bytes));
    }
}
