using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Objects;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Rebuild;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables;

/// <summary>The tables of one pile by number and name. Owned by one pile. The list is replaced as a whole under its
/// lock; readers take no lock, so it can also be read while no operation may run.</summary>
/// <param name="context">The parts that all tables share.</param>
/// <param name="pressure">Makes room for the tables.</param>
/// <param name="objects">The objects that records own.</param>
/// <param name="file">The file with the description of the tables; null when their memory does not survive the
/// process.</param>
internal sealed class RecordTables(
    RecordContext context, MemoryPressure pressure, ObjectStore objects, CatalogFile? file)
{
    private readonly RecordContext _context = context;
    private readonly MemoryPressure _pressure = pressure;
    private readonly ObjectStore _objects = objects;
    private readonly CatalogFile? _file = file;
    private readonly Lock _gate = new();
    private readonly Lock _filing = new();
    private IReadOnlyList<RecordStore> _stores = [];

    public IReadOnlyList<RecordStore> All => Volatile.Read(ref _stores);

    /// <summary>The records in memory, for code that checks them.</summary>
    public RecordSpace Space => _context.Space;

    /// <summary>The highest limit of a table: all blocks of the pile, which is no limit.</summary>
    public long LimitBytesMax => _context.Space.BlockCount * BlockLayout.BlockBytes;

    /// <summary>The limit for a table that may take this many bytes; null: as many as the pile has. A limit above all
    /// blocks is lowered, so that nothing is evicted for a record that can never fit.</summary>
    public long LimitOf(long? bytes) => Math.Min(bytes ?? LimitBytesMax, LimitBytesMax);

    /// <summary>Removes all records, after a purge has freed their memory; no operation is running.</summary>
    public void Clear()
    {
        foreach (var store in All)
            store.Clear();
    }

    /// <summary>Creates an empty non-evicting table without a name.</summary>
    /// <exception cref="PileFullException">The budget does not hold the table.</exception>
    public RecordStore Create() => Create(new RecordTableOptions());

    /// <summary>Creates an empty table.</summary>
    /// <exception cref="PileFullException">The budget does not hold the table.</exception>
    public RecordStore Create(RecordTableOptions options)
    {
        lock (_gate)
        {
            var made = AddNeedsLock(options, MakeRoom);
            KeepCatalog();
            return made;
        }
    }

    /// <summary>Returns the table of a kind and name, and creates it when it does not exist. An existing table keeps
    /// its records and takes over the other options.</summary>
    /// <exception cref="PileFullException">The budget does not hold the table.</exception>
    /// <exception cref="InvalidOperationException">The existing table has keys or values of another form, or one of the
    /// two evicts and the other does not.</exception>
    public RecordStore GetOrCreate(RecordTableOptions options)
    {
        lock (_gate)
        {
            var known = Find(options.Kind, options.Name);
            if (known is null)
            {
                known = AddNeedsLock(options, MakeRoom);
                KeepCatalog();
                return known;
            }

            if (known.Options.KeyForm != options.KeyForm)
                TableErrors.OtherRecordTable(options.Name, "keys", known.Options.KeyForm, options.KeyForm);
            if (known.Options.ValueForm != options.ValueForm)
                TableErrors.OtherRecordTable(options.Name, "values", known.Options.ValueForm, options.ValueForm);
            if (known.Options.MayForget != options.MayForget)
            {
                TableErrors.OtherRecordTable(
                    options.Name, "eviction", known.Options.MayForget, options.MayForget);
            }

            Change(known, options);
            return known;
        }
    }

    /// <summary>Changes the options of a table. When a limit becomes lower, a table that evicts applies it at once;
    /// other tables accept no new records until they are below it.</summary>
    public void Change(RecordStore store, RecordTableOptions options)
    {
        store.Options = options;
        KeepCatalog();
    }

    public RecordStore? Find(RecordTableKind kind, string name) =>
        All.FirstOrDefault(store => store.Options.Kind == kind && store.Options.Name == name);

    /// <summary>Describes all tables, so that <see cref="Restore"/> creates the same tables in another pile or process.
    /// Takes no lock, so it may be called while no operation runs.</summary>
    public byte[] Export() => Describe(_context.Clock.Ticks).Encode();

    /// <summary>Creates the exported tables in a pile without tables, and gives them the records of the log segments in
    /// its blocks. The blocks of the segments are already taken, and their descriptors hold lengths and first blocks;
    /// the objects are already restored. No other thread uses the pile.</summary>
    /// <exception cref="PileFullException">The budget does not hold the indexes, although all records that may be
    /// evicted were removed.</exception>
    public void Restore(
        RecordCatalog catalog, IReadOnlyList<(long Head, long Blocks)> segments, RecordRebuildRules rules)
    {
        lock (_gate)
        {
            Invariant.Holds(All.Count == 0, "Tables are restored before any is made.");
            _context.Hash = new KeyHash(catalog.Secret);
            var restored = new RestoredSegments(_context, _objects, catalog.Tables, rules);
            restored.Open(segments);
            foreach (var options in catalog.Tables)
                AddNeedsLock(options, bytes => GiveUp(restored, bytes));
            new RecordRebuild(_context, _objects, restored, rules).Run(All);
        }

        _context.Allocator.Reclaim();
        _context.Maintenance.Expire();
    }

    private RecordCatalog Describe(long clockTicks)
    {
        var secret = new byte[KeyHash.SecretBytes];
        _context.Hash.CopyTo(secret);
        return new RecordCatalog
        {
            Secret = secret,
            ClockTicks = clockTicks,
            Tables = [.. All.Select(store => Unbound(store.Options))],
        };
    }

    // Called before a new table is returned, so before its first record. Under the lock, the newest description is
    // written last. If a write fails, the next change or the next request for the table tries again.
    private void KeepCatalog()
    {
        if (_file is null)
            return;
        lock (_filing)
            _file.Keep(Describe(clockTicks: 0).Encode());
    }

    // A table that may take all of this pile may take all of the next one, whatever its size.
    private RecordTableOptions Unbound(RecordTableOptions options) =>
        options.LimitBytes >= LimitBytesMax ? options with { LimitBytes = long.MaxValue } : options;

    private bool MakeRoom(long bytes)
    {
        _pressure.MakeRoom(bytes);
        return false;
    }

    // True: a further attempt may succeed.
    private bool GiveUp(RestoredSegments restored, long bytes) =>
        _context.Arena.VacantBlocks * BlockLayout.BlockBytes < bytes && restored.TryGiveUp();

    // Makes room and tries again as long as more room may come, and then one last time.
    private RecordStore AddNeedsLock(RecordTableOptions options, Func<long, bool> makeRoom)
    {
        var hasHope = true;
        while (true)
        {
            if (TryAddNeedsLock(options) is { } store)
                return store;
            if (!hasHope)
                throw _pressure.Full(RecordIndex.BytesMin);
            hasHope = makeRoom(RecordIndex.BytesMin);
        }
    }

    // One operation, so that neither a purge nor a snapshot point comes between its steps.
    private RecordStore? TryAddNeedsLock(RecordTableOptions options)
    {
        var hash = options.HashSeed is { } seed ? KeyHash.Seeded(seed) : _context.Hash;
        using var operation = _context.Registry.Begin();
        if (!RecordIndex.TryCreate(_context.Space, _context.Arena, hash, out var index))
            return null;
        var store = new RecordStore(_context, _pressure, _objects, index, new RecordTable(All.Count, options));
        Volatile.Write(ref _stores, [.. All, store]);
        _context.Maintenance.Add(store.Sweeper, store.Log);
        return store;
    }
}

/// <summary>The number and the options of a table. Immutable.</summary>
internal sealed record RecordTable(int Number, RecordTableOptions Options);
