using Cluster.Pile.Objects;

namespace Cluster.Pile.Records;

/// <summary>
/// One table of records by key: the whole surface of the relocatable realm for caches and cells. Each operation is
/// atomic and linearizable per key; reads take no lock and allocate nothing. Owned by the pile that made it; what it is
/// made of protects itself.
/// </summary>
internal sealed class RecordStore
{
    // Reads that met a change so often wait for the bucket instead.
    private const int ReadAttemptsMax = 64;

    private readonly RecordRealm _realm;
    private readonly Relief _relief;
    private readonly ObjectStore _objects;
    private readonly RecordIndex _index;
    private readonly RecordLog _log;
    private readonly RecordReader _reader;
    private readonly RecordWriter _writer;
    private readonly int _number;

    public RecordStore(RecordRealm realm, Relief relief, ObjectStore objects, RecordIndex index, int number)
    {
        var lanes = Math.Min(Environment.ProcessorCount, LanesMax);
        _realm = realm;
        _relief = relief;
        _objects = objects;
        _number = number;
        _index = index;
        _log = new RecordLog(realm.Space, realm.Arena, realm.Sequence, (uint)number, lanes);
        _reader = new RecordReader(realm.Space, index, realm.Clock);
        _writer = new RecordWriter(realm.Space, index, _log, realm.Clock, number);
    }

    /// <summary>Segments that are open side by side so that threads do not meet at one cursor.</summary>
    public const int LanesMax = 4;

    /// <summary>The log segments, for whoever checks or moves records.</summary>
    public RecordLog Log => _log;

    /// <summary>The index, for the same.</summary>
    public RecordIndex Index => _index;

    /// <summary>The hash that the keys of this table need.</summary>
    public KeyHash Hash => _realm.Hash;

    /// <summary>The clock of deadlines and ages.</summary>
    public RecordClock Clock => _realm.Clock;

    /// <summary>
    /// Records in the table, those included that passed their deadline and were not yet removed. Exact when nothing runs.
    /// </summary>
    public long Count => _realm.Registry.Sum(cache => cache.RecordsOf(_number));

    /// <summary>Bytes of the pile that the table takes, index included, in blocks of 64 KiB.</summary>
    public long ReservedBytes => (_log.Blocks + _index.Blocks) << Memory.BlockLayout.BlockBytesShift;

    /// <summary>Bytes of the log that hold nothing any more.</summary>
    public long DeadBytes => _log.DeadBytes;

    /// <summary>
    /// Copies the value of a key if the destination holds all of it, and tells what it is either way. Takes no lock,
    /// allocates nothing.
    /// </summary>
    /// <returns><see cref="RecordStatus.Found"/>, <see cref="RecordStatus.Missing"/>, or <see
    /// cref="RecordStatus.Held"/> when an accessor holds the record; nothing useful was copied then.</returns>
    public RecordStatus Read(in RecordKey key, Span<byte> destination, out RecordFound found)
    {
        for (var attempt = 0; attempt < ReadAttemptsMax; attempt++)
        {
            if (_reader.TryRead(key, destination, out var status, out found))
                return status;
            Thread.SpinWait(1 << Math.Min(attempt, 8));
        }

        return ReadLocked(key, destination, out found);
    }

    /// <summary>
    /// Stores a record, unless its <see cref="RecordForm.Condition"/> is against it. In place when the new value fits
    /// where the old one is, else as a new record.
    /// </summary>
    /// <returns><see cref="RecordStatus.Inserted"/> for a new key (or one whose record had ended), <see
    /// cref="RecordStatus.Replaced"/>; or, and nothing was changed: <see cref="RecordStatus.Kept"/> or <see
    /// cref="RecordStatus.Missing"/> by the condition, <see cref="RecordStatus.Held"/>, <see
    /// cref="RecordStatus.Full"/>, <see cref="RecordStatus.TooLarge"/>.</returns>
    public RecordStatus Put(in RecordKey key, in RecordForm form, ReadOnlySpan<byte> value)
    {
        if (key.Bytes.Length > RecordHeader.KeyBytesMax || value.Length > RecordHeader.ValueBytesMax)
            return RecordStatus.TooLarge;
        var status = TryPut(key, form, value);
        if (status == RecordStatus.Full)
        {
            _relief.MakeRoom();
            status = TryPut(key, form, value);
        }

        return status;
    }

    /// <summary>Removes the record of a key; with a token only when it still has the value of the token.</summary>
    /// <returns><see cref="RecordStatus.Found"/> when it was removed; <see cref="RecordStatus.Missing"/> (also when it
    /// had ended), <see cref="RecordStatus.Kept"/> by the token, <see cref="RecordStatus.Held"/>.</returns>
    public RecordStatus Remove(in RecordKey key, ulong? token = null)
    {
        var cache = _realm.Registry.Enter();
        RecordStatus status;
        PilePointer orphan;
        try
        {
            status = _writer.Remove(cache, key, token, out orphan);
        }
        finally
        {
            cache.Exit();
        }

        AfterChange(orphan);
        return status;
    }

    /// <summary>
    /// Sets when a timed record ends and since when it counts as put; with a token only when it still has the value of
    /// the token.
    /// </summary>
    /// <returns><see cref="RecordStatus.Found"/> when it was done; <see cref="RecordStatus.Missing"/> (also when it has
    /// no times), <see cref="RecordStatus.Kept"/> by the token, <see cref="RecordStatus.Held"/>.</returns>
    public RecordStatus SetTimes(in RecordKey key, RecordTimes times, ulong? token = null)
    {
        var cache = _realm.Registry.Enter();
        try
        {
            return _writer.SetTimes(key, times, token);
        }
        finally
        {
            cache.Exit();
        }
    }

    /// <summary>Begins a walk over all keys, in no useful order; see <see cref="TryNext"/>.</summary>
    public static RecordScan BeginScan() => new();

    /// <summary>
    /// Gives the next key of a walk, false at the end; the span is good until the next call. A key that is there during
    /// the whole walk is given exactly once; one that comes or goes meanwhile may be given or not.
    /// </summary>
    public bool TryNext(RecordScan scan, out ReadOnlySpan<byte> key)
    {
        while (!scan.TryTake(out key))
        {
            if (scan.IsOver)
                return false;
            scan.Clear();
            Collect(scan);
        }

        return true;
    }

    /// <summary>Forgets all records, after a purge has ended their memory; no operation is running.</summary>
    public void Clear()
    {
        _log.Clear();
        var isMade = _index.TryClear();
        Invariant.Holds(isMade, "A pile that was just purged has room for an empty index.");
    }

    private void Collect(RecordScan scan)
    {
        var cache = _realm.Registry.Enter();
        try
        {
            _index.Collect(scan);
        }
        finally
        {
            cache.Exit();
        }
    }

    private RecordStatus TryPut(in RecordKey key, in RecordForm form, ReadOnlySpan<byte> value)
    {
        var cache = _realm.Registry.Enter();
        RecordStatus status;
        PilePointer orphan;
        try
        {
            status = _writer.Put(cache, key, form, value, out orphan);
        }
        finally
        {
            cache.Exit();
        }

        AfterChange(orphan);
        return status;
    }

    private RecordStatus ReadLocked(in RecordKey key, Span<byte> destination, out RecordFound found)
    {
        var cache = _realm.Registry.Enter();
        try
        {
            return _writer.Read(key, destination, out found);
        }
        finally
        {
            cache.Exit();
        }
    }

    private void AfterChange(PilePointer orphan)
    {
        if (!orphan.IsDefault)
            _objects.Delete(orphan);
        _relief.ReclaimWhenWorthIt();
    }
}
