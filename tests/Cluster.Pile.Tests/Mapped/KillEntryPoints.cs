using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Tests.Litmus;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>One change of a cell or cache entry of a mapped pile in the woven build, with something done before each of
/// its accesses to memory, and what has to be true of the tables if its process is killed there. Owned by one scenario;
/// all on one thread and without timers, so each run is the same.</summary>
internal sealed class KillEntryPoints
{
    public const long BudgetBytes = 6 * Piles.MiB;
    public const ulong OldSeed = 1_000_001;
    public const ulong NewSeed = 1_000_002;
    public const string Cells = "cells";
    public const string OtherCells = "other-cells";
    public const string NonEvicting = "durable";
    public const string Evicting = "speculative";

    /// <summary>What a line of the report says first: the entry has its value in any case.</summary>
    public const string Stays = "stays";

    /// <summary>It has the old value or the new one.</summary>
    public const string Changes = "changes";

    /// <summary>It has the old value or is not there.</summary>
    public const string Goes = "goes";

    /// <summary>It has the new value or is not there.</summary>
    public const string Comes = "comes";

    /// <summary>It is not there.</summary>
    public const string Gone = "gone";

    /// <summary>The object may be there although no entry owns it.</summary>
    public const string Free = "free";

    private const int Neighbours = 40;
    private const int LargeBytes = 300_000;
    private const long Id = 1000;

    private readonly TestFolder _folder;
    private readonly string _change;
    private readonly bool _isAttachedAnew;
    private readonly StillClock _clock = new();
    private readonly List<string> _report = [];
    private LocalPile _pile = null!;
    private Tables _tables = null!;

    public KillEntryPoints(TestFolder folder, string change)
    {
        _folder = folder;
        _isAttachedAnew = change.EndsWith(KillPoints.Anew, StringComparison.Ordinal);
        _change = _isAttachedAnew ? change[..^KillPoints.Anew.Length] : change;
    }

    /// <summary>The changes by name: of a new pile, and of one that had been disposed before.</summary>
    public static IReadOnlyList<string> Names => [.. Changed, .. Changed.Select(name => name + KillPoints.Anew)];

    private static string[] Changed { get; } =
    [
        "cell put", "cell, same length", "cell, longer", "cell, large", "cell in use", "cell removed",
        "first cell of a table", "first cell after a purge", "entry put", "entry replaced", "entry removed",
        "age renewed", "life shortened", "pointer put", "pointer over pointer", "value over pointer",
        "pointer removed", "same pointer", "eviction", "end of time", "compact",
    ];

    /// <summary>Lines for the test.</summary>
    public IReadOnlyList<string> Report => _report;

    /// <summary>Makes the change, and calls before each access with its number; gives how many there were.</summary>
    public long Run(Action<long> before)
    {
        _report.Clear();
        long accesses = 0;
        using var pile = Attach();
        if (_change != "first cell after a purge")
            Surround();
        var change = Prepare();
        if (_isAttachedAnew)
            pile.Dispose();
        using var again = _isAttachedAnew ? Attach() : null;
        LitmusPoints.ActionOfAll = () => before(accesses++);
        change();
        LitmusPoints.ActionOfAll = null;
        return accesses;
    }

    private LocalPile Attach()
    {
        _pile = _folder.Attach(BudgetBytes, _clock);
        _tables = new Tables(_pile);
        return _pile;
    }

    // Entries of many lengths, with dead ones in between.
    private void Surround()
    {
        for (long id = 0; id < Neighbours; id++)
        {
            _tables.Cells.Save(id, 1, Piles.Payload((ulong)id, (int)(id * 37 % 900)));
            _tables.NonEvicting.Put(id, Piles.Payload((ulong)id, (int)(id * 53 % 700)), (int)(id % 3));
            if (id % 3 == 0)
            {
                Assert.True(_tables.Cells.Remove(id));
                Tell(Gone, Cells, id, 0);
            }
            else
            {
                Tell(Stays, Cells, id, (ulong)id);
            }

            Tell(Stays, NonEvicting, id, (ulong)id);
        }
    }

    private Action Prepare() => _change switch
    {
        "cell put" => PutCell(),
        "cell, same length" => Save(300, 300),
        "cell, longer" => Save(300, 900),
        "cell, large" => Save(LargeBytes, LargeBytes),
        "cell in use" => UseCell(),
        "cell removed" => RemoveCell(),
        "first cell of a table" => FirstOfATable(),
        "first cell after a purge" => FirstAfterAPurge(),
        "entry put" => PutEntry(),
        "entry replaced" => Replace(),
        "entry removed" => RemoveEntry(),
        "age renewed" => Renew(),
        "life shortened" => Shorten(),
        "pointer put" => PutPointer(),
        "pointer over pointer" => PointerOverPointer(),
        "value over pointer" => ValueOverPointer(),
        "pointer removed" => RemovePointer(),
        "same pointer" => SamePointer(),
        "eviction" => Evict(),
        "end of time" => EndOfTime(),
        "compact" => Compact(),
        _ => throw new ArgumentOutOfRangeException(nameof(_change), _change, "There is no such change."),
    };

    private Action PutCell()
    {
        Tell(Comes, Cells, Id, 0);
        return () => _tables.Cells.Save(Id, 1, New(300));
    }

    private Action Save(int length, int next)
    {
        _tables.Cells.Save(Id, 1, Old(length));
        Tell(Changes, Cells, Id, OldSeed);
        return () => _tables.Cells.Save(Id, 1, New(next));
    }

    private Action UseCell()
    {
        _tables.Cells.Save(Id, 1, Old(200));
        Tell(Changes, Cells, Id, OldSeed);
        return () =>
        {
            using var cell = _tables.Cells.Use(Id);
            New(100).CopyTo(cell.Edit());
            cell.Resize(400);
            New(400).CopyTo(cell.Edit());
        };
    }

    private Action RemoveCell()
    {
        // An older one of the same cell is there, dead.
        _tables.Cells.Save(Id, 1, New(500));
        _tables.Cells.Save(Id, 1, Old(300));
        Tell(Goes, Cells, Id, OldSeed);
        return () => _tables.Cells.Remove(Id);
    }

    private Action FirstOfATable()
    {
        Tell(Comes, OtherCells, Id, 0);
        return () => CellTable.GetOrCreate(_pile, OtherCells).Save(Id, 1, New(300));
    }

    // In the same blocks, which still are as they were.
    private Action FirstAfterAPurge()
    {
        for (long id = 0; id < Neighbours; id++)
        {
            _tables.Cells.Save(id, 1, Old(200));
            Tell(Gone, Cells, id, 0);
        }

        _pile.Purge();
        Tell(Comes, Cells, Id, 0);
        return () => _tables.Cells.Save(Id, 1, New(300));
    }

    private Action PutEntry()
    {
        Tell(Comes, NonEvicting, Id, 0);
        return () => _tables.NonEvicting.Put(Id, New(300), 2);
    }

    private Action Replace()
    {
        _tables.NonEvicting.Put(Id, Old(300), 1, TimeSpan.FromHours(1));
        Tell(Changes, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.Put(Id, New(280), 1, TimeSpan.FromHours(2));
    }

    private Action RemoveEntry()
    {
        _tables.NonEvicting.Put(Id, Old(300));
        Tell(Goes, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.Remove(Id);
    }

    private Action Renew()
    {
        _tables.NonEvicting.Put(Id, Old(300), maxAge: TimeSpan.FromHours(1));
        Tell(Stays, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.Refresh(Id);
    }

    // The record moves to a segment of earlier deadlines.
    private Action Shorten()
    {
        _tables.NonEvicting.Put(Id, Old(300), maxAge: TimeSpan.FromDays(10));
        Tell(Changes, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.Put(Id, New(300), maxAge: TimeSpan.FromHours(1));
    }

    private Action PutPointer()
    {
        Tell(Comes, NonEvicting, Id, 0);
        var pointer = FreeObject(New(200));
        return () => _tables.NonEvicting.PutPointer(Id, pointer);
    }

    private Action PointerOverPointer()
    {
        _tables.NonEvicting.PutPointer(Id, _pile.Put(Old(200)));
        Tell(Changes, NonEvicting, Id, OldSeed);
        var pointer = FreeObject(New(200));
        return () => _tables.NonEvicting.PutPointer(Id, pointer);
    }

    private Action ValueOverPointer()
    {
        _tables.NonEvicting.PutPointer(Id, _pile.Put(Old(200)));
        Tell(Changes, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.Put(Id, New(8));
    }

    private Action RemovePointer()
    {
        _tables.NonEvicting.PutPointer(Id, _pile.Put(Old(LargeBytes)));
        Tell(Goes, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.Remove(Id);
    }

    private Action SamePointer()
    {
        var pointer = _pile.Put(Old(200));
        _tables.NonEvicting.PutPointer(Id, pointer);
        Tell(Stays, NonEvicting, Id, OldSeed);
        return () => _tables.NonEvicting.PutPointer(Id, pointer, priority: 2);
    }

    private Action Evict()
    {
        for (long id = 0; id < 60; id++)
        {
            if (id % 3 == 0)
                _tables.Evicting.PutPointer(id, _pile.Put(Old(500)));
            else
                _tables.Evicting.Put(id, Old(20_000));
            Tell(Goes, Evicting, id, OldSeed);
        }

        return () => _tables.Evicting.MaxBytes = CacheTableOptions.MinMaxBytes;
    }

    private Action EndOfTime()
    {
        for (var id = Id; id < Id + 20; id++)
        {
            var life = TimeSpan.FromSeconds(id % 2 == 0 ? 2 : 2.5);
            if (id % 3 == 0)
                _tables.NonEvicting.PutPointer(id, _pile.Put(Old(500)), maxAge: life);
            else
                _tables.NonEvicting.Put(id, Old(500), maxAge: life);
            Tell(Goes, NonEvicting, id, OldSeed);
        }

        _clock.Advance(TimeSpan.FromSeconds(10));
        return () => _pile.Compact();
    }

    // Records in sparse segments, which move, among them some that own objects.
    private Action Compact()
    {
        for (var id = Id; id < Id + 150; id++)
        {
            if (id % 8 == 0)
                _tables.NonEvicting.PutPointer(id, _pile.Put(Old(100)));
            else
                _tables.NonEvicting.Put(id, Old(2000));
        }

        for (var id = Id; id < Id + 150; id++)
        {
            if (id % 4 != 0)
                Assert.True(_tables.NonEvicting.Remove(id));
            Tell(id % 4 != 0 ? Gone : Stays, NonEvicting, id, OldSeed);
        }

        return () => _pile.Compact();
    }

    private PilePointer FreeObject(byte[] payload)
    {
        var pointer = _pile.Put(payload);
        _report.Add($"{Free} {pointer.ToUInt64()}");
        return pointer;
    }

    private static byte[] Old(int length) => Piles.Payload(OldSeed, length);

    private static byte[] New(int length) => Piles.Payload(NewSeed, length);

    private void Tell(string what, string table, long id, ulong seed) => _report.Add($"{what} {table} {id} {seed}");

    /// <summary>The tables of a pile.</summary>
    public sealed class Tables
    {
        public Tables(LocalPile pile)
        {
            var cache = new PileCache(pile);
            Cells = CellTable.GetOrCreate(pile, KillEntryPoints.Cells);
            NonEvicting = cache.GetOrCreateTable<long, byte[]>(
                KillEntryPoints.NonEvicting, new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
            Evicting = cache.GetOrCreateTable<long, byte[]>(KillEntryPoints.Evicting);
        }

        public CellTable Cells { get; }

        public CacheTable<long, byte[]> NonEvicting { get; }

        public CacheTable<long, byte[]> Evicting { get; }
    }

    /// <summary>A clock that goes when it is told to, and has no timers.</summary>
    private sealed class StillClock : TimeProvider
    {
        private long _ticks = System.GetUtcNow().UtcTicks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public void Advance(TimeSpan time) => _ticks += time.Ticks;

        public override DateTimeOffset GetUtcNow() => new(_ticks, TimeSpan.Zero);

        public override long GetTimestamp() => _ticks;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new Never();
    }

    private sealed class Never : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
            // There is nothing to end.
        }

        public ValueTask DisposeAsync() => default;
    }
}
