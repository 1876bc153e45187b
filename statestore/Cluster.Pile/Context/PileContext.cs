using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Objects;
using Cluster.Pile.Observation;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Snapshots;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Eviction;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Views;

namespace Cluster.Pile.Context;

/// <summary>The parts of one pile below its public face, built from the bottom up: memory, slabs, slots, deadlines,
/// objects, tables, values. Each part protects itself. Owned by the pile; immutable.</summary>
internal sealed class PileContext
{
    private readonly Compactor _compactor;

    public PileContext(PileOptions options, IPileStorage storage)
    {
        (Storage, Time) = (storage, options.TimeProvider);
        var (origin, range) = (storage.Origin, storage.Range);
        Layout = new BlockLayout(options.BudgetBytes);
        NativeRangePool.CommitBookkeeping(range, Layout);
        Window = range.OpenWindow();
        Table = new SlabTable(Window, Layout, isLasting: storage.BlocksFile is not null);
        Arena = new SlabArena(range, Layout, Table, Mask, origin.CounterFirst);
        Reserve = new SegmentReserve(range, Layout, Arena, options.ReserveBytes);
        var damage = new SlotDamage(storage.BlocksFile);
        Space = new SlotSpace(Window, Layout, Table, Mask, origin.HasFloors) { Damage = damage };
        Bitmap = new SlotBitmap(Window, Layout) { Damage = damage };
        Allocator = new SlotAllocator(Space, Bitmap, Arena, Reserve, Registry);

        Timer = new SweepTimer(Time);
        var firstTicks = origin.ClockStep * DeadlineSteps.StepTicks;
        Deadlines = new DeadlineBook(Table, new DeadlineClock(Time, DeadlineSteps.OfObjects, firstTicks));
        var writer = new ObjectWriter(Space, Allocator, Deadlines, storage.Intents);
        var sweeper = new ExpirySweeper(Space, Arena, Allocator, Deadlines, writer);
        Expiry = new ExpirySchedule(sweeper, Deadlines, Registry, Allocator, Timer);

        var space = new RecordSpace(Window, Layout, Table, mayRewrite: storage.BlocksFile is null);
        firstTicks = origin.RecordTicks ?? Time.GetUtcNow().Ticks;
        Maintenance = new RecordMaintenance(new DeadlineClock(Time, DeadlineSteps.OfRecords, firstTicks), Timer);
        var records = new RecordContext(space, Arena, Allocator, Registry, Maintenance);
        Pressure = new MemoryPressure(Allocator, Expiry, Maintenance, options.BudgetBytes, range.Source);

        var reader = new ObjectReader(Space, Registry, Deadlines.Clock);
        Views = new ViewStore(Window, Space, Registry, Deadlines.Clock, options);
        Objects = new ObjectStore(reader, writer, Registry, Pressure, Views);
        Records = new RecordTables(records, Pressure, Objects, storage.Catalog);
        Graphs = new GraphCodec(options.Aliases, storage.Types, storage.Intents);
        Decoder = new PayloadDecoder(Graphs);
        Values = new ValueStore(Objects, Graphs, Decoder);
        Batches = new BatchReader(Space, reader, Decoder);
        _compactor = new Compactor(Allocator, Arena, Reserve, new BodyMover(Space, Allocator, Registry));
        Statistics = new StatisticsCollector(Arena, Allocator, Registry, reader.Reads, Time);
        Snapshots = new SnapshotCounters(Time);
        Settings = options.SnapshotSettings(origin.CounterFirst);
    }

    public IPileStorage Storage { get; }

    public TimeProvider Time { get; }

    /// <summary>The number by which <see cref="Piled{T}"/> finds the pile.</summary>
    public ulong Identity => Storage.Origin.Identity;

    public GenerationMask Mask => Storage.Origin.Mask;

    public BlockLayout Layout { get; }

    public NativeWindow Window { get; }

    public SlabTable Table { get; }

    public SlabArena Arena { get; }

    public SegmentReserve Reserve { get; }

    public SlotBitmap Bitmap { get; }

    public SlotSpace Space { get; }

    public ThreadCacheRegistry Registry { get; } = new();

    public SlotAllocator Allocator { get; }

    public SweepTimer Timer { get; }

    public DeadlineBook Deadlines { get; }

    public ExpirySchedule Expiry { get; }

    public RecordMaintenance Maintenance { get; }

    public MemoryPressure Pressure { get; }

    public ViewStore Views { get; }

    public ObjectStore Objects { get; }

    public RecordTables Records { get; }

    public GraphCodec Graphs { get; }

    public TypeTable Types => Graphs.Types;

    public PayloadDecoder Decoder { get; }

    public ValueStore Values { get; }

    public BatchReader Batches { get; }

    public StatisticsCollector Statistics { get; }

    public SnapshotCounters Snapshots { get; }

    public SnapshotSettings Settings { get; }

    /// <summary>Removes what has expired, and brings free memory together.</summary>
    public PileCompaction Compact()
    {
        Expiry.SweepAll();
        Maintenance.Compact();
        return _compactor.Run();
    }

    /// <summary>Frees all objects and records. Waits for views of other threads.</summary>
    public void Purge()
    {
        var waitBudget = default(WaitBudget);
        using var intent = Storage.Intents?.BeginPurge();
        while (!Allocator.TryPurge(Records.Clear))
            Views.WaitForAll(ref waitBudget);
    }

    /// <summary>Waits for changes in progress, and gives the memory back. Null when another call has done it; else the
    /// views that are still open.</summary>
    public List<OpenView>? Close()
    {
        if (Allocator.TryClose(Storage.BlocksFile is null ? null : Storage.TakeTotals) is not { } leftOpen)
            return null;
        Storage.Close(isAtRest: leftOpen.Count == 0);
        return leftOpen;
    }
}
