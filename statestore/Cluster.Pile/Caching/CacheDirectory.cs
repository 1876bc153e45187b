using Cluster.Pile.Objects;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching;

/// <summary>The cache tables of one pile by name: those in use, and restored ones that no caller has asked for yet.
/// Owned by the pile. A lock guards the list, which is replaced as a whole, so that metrics read it without the
/// lock.</summary>
internal sealed class CacheDirectory(RecordTables records, ValueStore values, TimeProvider time)
{
    private readonly RecordTables _records = records;
    private readonly ValueStore _values = values;
    private readonly TimeProvider _time = time;
    private readonly Lock _gate = new();
    private IReadOnlyList<ListedTable> _tables = [];

    /// <summary>All tables; those that no caller has asked for have only statistics.</summary>
    public IReadOnlyList<ListedTable> Tables
    {
        get
        {
            var tables = Volatile.Read(ref _tables);
            var restored = _records.All.Where(store => store.Options.Kind == RecordTableKind.Cache
                && !tables.Any(listed => listed.Name == store.Options.Name));
            return [.. tables, .. restored.Select(ListedTable.Of)];
        }
    }

    public IReadOnlyList<string> Names => [.. Tables.Select(listed => listed.Name)];

    /// <summary>Creates a table, or returns the present one when its types and options are the same.</summary>
    public CacheTable<TKey, TValue> GetOrCreate<TKey, TValue>(
        string name, CacheTableSettings? settings, IKeyCodec<TKey> keys)
        where TKey : notnull
        where TValue : notnull
    {
        var form = KeyCodecs.FormOf(keys);
        lock (_gate)
        {
            if (Find(name) is not { } listed)
            {
                settings ??= Restored(name) is { } restored
                    ? CacheTableSettings.Of(restored.Options)
                    : new CacheTableOptions().Freeze();
                return CreateNeedsLock<TKey, TValue>(new ListedTable(name, form, settings), keys);
            }

            var table = Typed<TKey, TValue>(listed);
            if (listed.KeyForm != form)
                CacheErrors.OtherTable(name, "key form", listed.KeyForm, form);
            if (settings is not null && settings != listed.Settings)
                CacheErrors.OtherTable(name, "options", listed.Settings, settings);
            return table;
        }
    }

    public bool TryGet<TKey, TValue>(string name, [NotNullWhen(true)] out CacheTable<TKey, TValue>? table)
        where TKey : notnull
        where TValue : notnull
    {
        table = Find(name) is { } listed ? Typed<TKey, TValue>(listed)
            : Restored(name) is { } restored ? GetOrCreate<TKey, TValue>(name, null, KeysOf<TKey>(restored.Options))
            : null;
        return table is not null;
    }

    private static IKeyCodec<TKey> KeysOf<TKey>(RecordTableOptions options)
        where TKey : notnull
    {
        if (KeyCodecs.Usual<TKey>() is { } usual)
            return usual;
        CacheErrors.OtherTable(
            options.Name, "key form", options.KeyForm, $"the usual one of {typeof(TKey)}, which has none");
        return null!;
    }

    private static CacheTable<TKey, TValue> Typed<TKey, TValue>(ListedTable listed)
        where TKey : notnull
        where TValue : notnull
    {
        if (listed.Table is not CacheTable<TKey, TValue> table)
        {
            CacheErrors.OtherTable(listed.Name, "types", listed.Table!, typeof(CacheTable<TKey, TValue>));
            return null!;
        }

        return table;
    }

    private ListedTable? Find(string name) =>
        Volatile.Read(ref _tables).FirstOrDefault(listed => listed.Name == name);

    private RecordStore? Restored(string name) => _records.Find(RecordTableKind.Cache, name);

    // The values were stored when their type had another name.
    private void TakeRenamed(string name, Type value, string valueForm)
    {
        if (Restored(name) is { } stored && _values.IsOldName(stored.Options.ValueForm, value))
            _records.Change(stored, stored.Options with { ValueForm = valueForm });
    }

    private CacheTable<TKey, TValue> CreateNeedsLock<TKey, TValue>(ListedTable listed, IKeyCodec<TKey> keys)
        where TKey : notnull
        where TValue : notnull
    {
        var settings = listed.Settings;
        var valueForm = typeof(TValue).ToString();
        TakeRenamed(listed.Name, typeof(TValue), valueForm);
        var store = _records.GetOrCreate(new RecordTableOptions
        {
            Name = listed.Name,
            Kind = RecordTableKind.Cache,
            KeyForm = listed.KeyForm,
            ValueForm = valueForm,
            MayForget = settings.Kind == CacheTableKind.Evicting,
            FloorBytes = settings.Min.Bytes,
            FloorRecords = settings.Min.Entries,
            LimitBytes = _records.LimitOf(settings.Max.Bytes),
            LimitRecords = settings.Max.Entries ?? long.MaxValue,
            MaxAge = settings.Life.MaxAge,
            SlidingExpiration = settings.Life.SlidingExpiration,
            TracksAge = settings.Life.TracksAge,
        });
        var life = new LifeRules(settings.Life, store.Clock, _time);
        var entries = new CacheEntries(_records, store, life);
        var values = new EntryValues<TValue>(entries, _values);
        var table = new CacheTable<TKey, TValue>(listed.Name, keys, entries, values);
        listed = listed with { Table = table, Statistics = table.CollectStatistics };
        Volatile.Write(ref _tables, [.. _tables, listed]);
        return table;
    }
}
