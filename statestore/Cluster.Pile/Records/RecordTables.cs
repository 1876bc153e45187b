using System.Text;
using Cluster.Pile.Objects;

namespace Cluster.Pile.Records;

/// <summary>
/// The tables of one pile by number and name. Owned by one pile; the list is guarded by its lock.
/// </summary>
internal sealed class RecordTables
{
    private const int FormatVersion = 1;

    private readonly RecordRealm _realm;
    private readonly Relief _relief;
    private readonly ObjectStore _objects;
    private readonly Lock _gate = new();
    private readonly List<RecordStore> _stores = [];

    public RecordTables(RecordRealm realm, Relief relief, ObjectStore objects)
    {
        _realm = realm;
        _relief = relief;
        _objects = objects;
    }

    /// <summary>All tables, by number.</summary>
    public IReadOnlyList<RecordStore> All
    {
        get
        {
            lock (_gate)
                return [.. _stores];
        }
    }

    /// <summary>Forgets all records, after a purge has ended their memory; no operation is running.</summary>
    public void Clear()
    {
        lock (_gate)
            _stores.ForEach(store => store.Clear());
    }

    /// <summary>Makes an empty durable table that has no name.</summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    public RecordStore Create() => Create(new RecordTableOptions());

    /// <summary>Makes an empty table.</summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    public RecordStore Create(RecordTableOptions options)
    {
        lock (_gate)
            return AddNeedsLock(options);
    }

    /// <summary>
    /// The table of a kind and name, which is made when there is none. One that is there keeps its records and takes
    /// the rest of the options over.
    /// </summary>
    /// <exception cref="PileFullException">The budget does not hold it.</exception>
    /// <exception cref="InvalidOperationException">The table that is there has keys of another form, or evicts where it
    /// should not or the other way round.</exception>
    public RecordStore GetOrCreate(RecordTableOptions options)
    {
        lock (_gate)
        {
            var known = _stores.Find(
                store => store.Options.Kind == options.Kind && store.Options.Name == options.Name);
            if (known is null)
                return AddNeedsLock(options);
            if (known.Options.KeyForm != options.KeyForm)
                Throw.OtherRecordTable(options.Name, "keys", known.Options.KeyForm, options.KeyForm);
            if (known.Options.MayForget != options.MayForget)
                Throw.OtherRecordTable(options.Name, "eviction", known.Options.MayForget, options.MayForget);
            known.Options = options;
            return known;
        }
    }

    /// <summary>
    /// Describes all tables, so that <see cref="Import"/> makes the same in another pile or process: the secret of the
    /// hash, then number, kind, name, key form and options of each.
    /// </summary>
    public byte[] Export()
    {
        lock (_gate)
        {
            using var bytes = new MemoryStream();
            using var writer = new BinaryWriter(bytes, Encoding.UTF8);
            writer.Write(FormatVersion);
            Span<byte> secret = stackalloc byte[KeyHash.SecretBytes];
            _realm.Hash.CopyTo(secret);
            writer.Write(secret);
            writer.Write(_stores.Count);
            foreach (var options in _stores.Select(store => store.Options))
            {
                writer.Write((int)options.Kind);
                writer.Write(options.Name);
                writer.Write(options.KeyForm);
                writer.Write(options.MayForget);
                writer.Write(options.LimitBytes);
            }

            writer.Flush();
            return bytes.ToArray();
        }
    }

    /// <summary>
    /// Makes the tables that were exported, empty, in a pile that has none yet; what lies in the segments of the pile
    /// is taken over by <see cref="Rebuild"/>.
    /// </summary>
    /// <exception cref="InvalidDataException">The bytes are not what <see cref="Export"/> gave.</exception>
    public void Import(ReadOnlySpan<byte> exported)
    {
        lock (_gate)
        {
            Invariant.Holds(_stores.Count == 0, "Tables are imported before any is made.");
            var all = Parse(exported, out var hash);
            _realm.Hash = hash;
            all.ForEach(options => AddNeedsLock(options));
        }
    }

    /// <summary>
    /// Takes over the records that lie in the blocks of a restored or attached pile, after <see cref="Import"/> and
    /// before any other operation.
    /// </summary>
    /// <exception cref="PileFullException">The budget does not hold the indexes.</exception>
    /// <exception cref="InvalidDataException">A segment is damaged; the message says where.</exception>
    public void Rebuild()
    {
        var stores = All;
        _realm.Registry.RunAlone(caches =>
        {
            foreach (var cache in caches)
                cache.ClearRecords();
        });
        var young = stores.SelectMany(store => store.Index.Heads()).ToHashSet();
        new RecordRebuild(_realm, stores).Run(_realm.Arena.Frontier, young);
        _realm.Allocator.Reclaim();
        _realm.Upkeep.Expire();
    }

    private static List<RecordTableOptions> Parse(ReadOnlySpan<byte> exported, out KeyHash hash)
    {
        try
        {
            return ReadOptions(exported, out hash);
        }
        catch (Exception malformed) when (malformed is EndOfStreamException or ArgumentException or FormatException)
        {
            throw new InvalidDataException("The description of the tables is cut off or malformed.", malformed);
        }
    }

    private static List<RecordTableOptions> ReadOptions(ReadOnlySpan<byte> exported, out KeyHash hash)
    {
        using var reader = new BinaryReader(new MemoryStream(exported.ToArray()), Encoding.UTF8);
        var version = reader.ReadInt32();
        if (version != FormatVersion)
        {
            throw new InvalidDataException(
                $"The description of the tables is of version {version}; this program knows {FormatVersion}.");
        }

        var secret = reader.ReadBytes(KeyHash.SecretBytes);
        if (secret.Length != KeyHash.SecretBytes)
            throw new EndOfStreamException();
        hash = new KeyHash(secret);
        var all = new List<RecordTableOptions>();
        for (var left = reader.ReadInt32(); left > 0; left--)
        {
            all.Add(new RecordTableOptions
            {
                Kind = (RecordTableKind)reader.ReadInt32(),
                Name = reader.ReadString(),
                KeyForm = reader.ReadString(),
                MayForget = reader.ReadBoolean(),
                LimitBytes = reader.ReadInt64(),
            });
        }

        return all;
    }

    private RecordStore AddNeedsLock(RecordTableOptions options)
    {
        if (!RecordIndex.TryCreate(_realm.Space, _realm.Arena, out var index))
        {
            _relief.MakeRoom(RecordIndex.BytesMin);
            if (!RecordIndex.TryCreate(_realm.Space, _realm.Arena, out index))
                throw _relief.Full(RecordIndex.BytesMin);
        }

        var store = new RecordStore(_realm, _relief, _objects, index, new RecordTable(_stores.Count, options));
        _stores.Add(store);
        _realm.Upkeep.Add(store.Sweeper, store.Log);
        return store;
    }
}
