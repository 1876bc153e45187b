using Cluster.Pile.Mapped;
using Cluster.Pile.Memory;
using Cluster.Pile.Objects;

namespace Cluster.Pile.Records;

/// <summary>The tables of one pile by number and name. Owned by one pile; the list is replaced as a whole under its
/// lock, and read without it, also while no operation runs.</summary>
/// <param name="realm">What the tables share.</param>
/// <param name="relief">What makes room for them.</param>
/// <param name="objects">The objects that records own.</param>
/// <param name="file">Where they are described, if their memory outlives the process.</param>
internal sealed class RecordTables(RecordRealm realm, Relief relief, ObjectStore objects, CatalogFile? file)
{
    private readonly RecordRealm _realm = realm;
    private readonly Relief _relief = relief;
    private readonly ObjectStore _objects = objects;
    private readonly CatalogFile? _file = file;
    private readonly Lock _gate = new();
    private readonly Lock _filing = new();
    private IReadOnlyList<RecordStore> _stores = [];

    /// <summary>All tables, by number.</summary>
    public IReadOnlyList<RecordStore> All => Volatile.Read(ref _stores);

    /// <summary>Where records lie, for whoever checks them.</summary>
    public RecordSpace Space => _realm.Space;

    // More than all blocks no table can have, so this is as good as no limit.
    private long LimitBytesMax => _realm.Space.BlockCount * BlockLayout.BlockBytes;

    /// <summary>Forgets all records, after a purge has ended their memory; no operation is running.</summary>
    public void Clear()
    {
        foreach (var store in All)
            store.Clear();
    }

    /// <summary>Makes an empty durable table that has no name.</summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    public RecordStore Create() => Create(new RecordTableOptions());

    /// <summary>Makes an empty table.</summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    public RecordStore Create(RecordTableOptions options)
    {
        lock (_gate)
        {
            var made = AddNeedsLock(options, MakeRoom);
            KeepCatalog();
            return made;
        }
    }

    /// <summary>The table of a kind and name, which is made when there is none. One that is there keeps its records and
    /// takes the rest of the options over.</summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    /// <exception cref="InvalidOperationException">The table that is there has keys or values of another form, or
    /// evicts where it should not or the other way round.</exception>
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
                RecordThrow.OtherRecordTable(options.Name, "keys", known.Options.KeyForm, options.KeyForm);
            if (known.Options.ValueForm != options.ValueForm)
                RecordThrow.OtherRecordTable(options.Name, "values", known.Options.ValueForm, options.ValueForm);
            if (known.Options.MayForget != options.MayForget)
            {
                RecordThrow.OtherRecordTable(
                    options.Name, "eviction", known.Options.MayForget, options.MayForget);
            }

            Change(known, options);
            return known;
        }
    }

    /// <summary>Gives a table other options. One that evicts keeps a lower limit at once; others take no more until
    /// they are below it.</summary>
    public void Change(RecordStore store, RecordTableOptions options)
    {
        store.Options = options;
        KeepCatalog();
    }

    /// <summary>The table of a kind and name, or nothing.</summary>
    public RecordStore? Find(RecordTableKind kind, string name) =>
        All.FirstOrDefault(store => store.Options.Kind == kind && store.Options.Name == name);

    /// <summary>Describes all tables, so that <see cref="Restore"/> makes the same in another pile or process. Takes no
    /// lock, so it may be called while no operation runs.</summary>
    public byte[] Export() => Describe(_realm.Clock.Ticks).Encode();

    /// <summary>Makes the tables that were exported, in a pile that has none yet, and gives them the records in log
    /// segments that lie in its blocks. The segments are taken, their lengths and first blocks stand in the descriptors
    /// of their blocks; objects are there already. Nobody else uses the pile.</summary>
    /// <exception cref="PileFullException">The budget does not hold the indexes, although everything that may be
    /// forgotten was.</exception>
    public void Restore(
        RecordCatalog catalog, IReadOnlyList<(long Head, long Blocks)> segments, RecordRebuildRules rules)
    {
        lock (_gate)
        {
            Invariant.Holds(All.Count == 0, "Tables are restored before any is made.");
            _realm.Hash = new KeyHash(catalog.Secret);
            var restored = new RestoredSegments(_realm, _objects, catalog.Tables, rules);
            restored.Open(segments);
            foreach (var options in catalog.Tables)
                AddNeedsLock(options, bytes => GiveUp(restored, bytes));
            new RecordRebuild(_realm, _objects, restored, rules).Run(All);
        }

        _realm.Allocator.Reclaim();
        _realm.Upkeep.Expire();
    }

    private RecordCatalog Describe(long clockTicks)
    {
        var secret = new byte[KeyHash.SecretBytes];
        _realm.Hash.CopyTo(secret);
        return new RecordCatalog
        {
            Secret = secret,
            ClockTicks = clockTicks,
            Tables = [.. All.Select(store => Unbound(store.Options))],
        };
    }

    // Before anybody has the table, so before the first record of it. The newest description is written last; one
    // that cannot be written is tried again with the next change, and whoever asks for the table.
    private void KeepCatalog()
    {
        if (_file is null)
            return;
        lock (_filing)
            _file.Keep(Describe(clockTicks: 0).Encode());
    }

    // A table that may have all of this pile may have all of the next.
    private RecordTableOptions Unbound(RecordTableOptions options) =>
        options.LimitBytes >= LimitBytesMax ? options with { LimitBytes = long.MaxValue } : options;

    private bool MakeRoom(long bytes)
    {
        _relief.MakeRoom(bytes);
        return false;
    }

    // True when there may be room for more.
    private bool GiveUp(RestoredSegments restored, long bytes) =>
        _realm.Arena.VacantBlocks * BlockLayout.BlockBytes < bytes && restored.TryGiveUp();

    // Room is made, and the table is tried once more, as often as there is hope for more, and then a last time.
    private RecordStore AddNeedsLock(RecordTableOptions options, Func<long, bool> makeRoom)
    {
        var hasHope = true;
        while (true)
        {
            if (TryAddNeedsLock(options) is { } store)
                return store;
            if (!hasHope)
                throw _relief.Full(RecordIndex.BytesMin);
            hasHope = makeRoom(RecordIndex.BytesMin);
        }
    }

    // One operation, so that neither a purge nor a cut comes in between.
    private RecordStore? TryAddNeedsLock(RecordTableOptions options)
    {
        var cache = _realm.Registry.Enter();
        try
        {
            if (!RecordIndex.TryCreate(_realm.Space, _realm.Arena, out var index))
                return null;
            var store = new RecordStore(_realm, _relief, _objects, index, new RecordTable(All.Count, options));
            Volatile.Write(ref _stores, [.. All, store]);
            _realm.Upkeep.Add(store.Sweeper, store.Log);
            return store;
        }
        finally
        {
            cache.Exit();
        }
    }
}
