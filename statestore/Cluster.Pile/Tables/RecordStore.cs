using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Objects;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Eviction;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Rebuild;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables;

/// <summary>One table of records by key. Caches, cells and stamped tables use only this class,
/// <see cref="RecordTables"/> and the values of <c>Tables/Records</c>. Each operation is atomic and linearizable per
/// key; reads take no lock and allocate nothing. Owned by the pile that made it; its parts protect
/// themselves.</summary>
internal sealed class RecordStore
{
    // A read that met a change this many times takes the lock of the bucket instead.
    private const int ReadAttemptsMax = 64;

    // A put that repeatedly finds no room gives up after it has evicted this many segments.
    private const int EvictionsMax = 256;

    // A large table evicts several records at once, so that not every put has to choose one.
    private const int RecordsPerEvictionMax = 64;
    private const int RecordsPerEvictionShare = 256;

    // Each thread may open a segment, and the index may split pages and double its directory, while other threads fill
    // the room that was seen free.
    private const long SpareBlocks = 4L * LanesMax;

    private readonly RecordContext _context;
    private readonly ThreadCacheRegistry _registry;
    private readonly MemoryPressure _pressure;
    private readonly RecordIndex _index;
    private readonly RecordLog _log;
    private readonly RecordGhosts? _ghosts;
    private readonly RecordLimit _limit;
    private readonly RecordCount _count;
    private readonly PlainReader _plainReader;
    private readonly RecordReader _reader;
    private readonly RecordWriter _writer;
    private readonly int _number;
    private RecordTableOptions _options;

    public RecordStore(
        RecordContext context, MemoryPressure pressure, ObjectStore objects, RecordIndex index, RecordTable table)
    {
        _context = context;
        _registry = context.Registry;
        _pressure = pressure;
        _number = table.Number;
        _options = table.Options;
        _index = index;
        _ghosts = _options.MayForget ? new RecordGhosts(context.Space, context.Arena) : null;
        _limit = new RecordLimit(index, _ghosts, _options.LimitBytes);
        _count = new RecordCount(_registry, _number, _options.LimitRecords);
        _log = new RecordLog(context, _limit, (uint)_number, Math.Min(Environment.ProcessorCount, LanesMax));
        _plainReader = new PlainReader(context.Space, index, _options.MayForget);
        _reader = new RecordReader(context.Space, index, context.Clock, _options.MayForget);
        _writer = new RecordWriter(context, index, _log, _ghosts, _count);
        Orphans = new RecordOrphans(context, _writer, objects);
        Sweeper = new RecordSweeper(context, index, _log, _writer, Orphans)
        {
            FloorBytes = _options.FloorBytes,
            FloorRecords = _options.FloorRecords,
        };
    }

    /// <summary>The number of segments that are open at the same time, so that threads do not contend for one
    /// cursor.</summary>
    public const int LanesMax = 4;

    /// <summary>The longest key of a record, in bytes.</summary>
    public const int KeyBytesMax = RecordHeader.KeyBytesMax;

    /// <summary>The longest value of a record, in bytes.</summary>
    public const int ValueBytesMax = RecordHeader.ValueBytesMax;

    /// <summary>The options of the table. When a limit becomes lower, a table that evicts applies it at once; other
    /// tables accept no new records until they are below it.</summary>
    public RecordTableOptions Options
    {
        get => Volatile.Read(ref _options);
        set
        {
            Volatile.Write(ref _options, value);
            _limit.Bytes = value.LimitBytes;
            Sweeper.FloorBytes = value.FloorBytes;
            Sweeper.FloorRecords = value.FloorRecords;
            if (_count.Limit != value.LimitRecords)
                _count.Limit = value.LimitRecords;
            Trim();
        }
    }

    private long RecordsPerEviction => Math.Clamp(_count.Limit / RecordsPerEvictionShare, 1, RecordsPerEvictionMax);

    /// <summary>The table's number, which its segments carry.</summary>
    public int Number => _number;

    /// <summary>The sweeper, which empties segments of the table.</summary>
    public RecordSweeper Sweeper { get; }

    /// <summary>Single changes of records, for a rebuild of the table.</summary>
    public RecordWriter Writer => _writer;

    public RecordOrphans Orphans { get; }

    /// <summary>The log segments, for code that checks or moves records.</summary>
    public RecordLog Log => _log;

    /// <summary>The index, for code that checks or moves records.</summary>
    public RecordIndex Index => _index;

    public KeyHash Hash => _index.Hash;

    public DeadlineClock Clock => _context.Clock;

    /// <summary>The number of records in the table, with expired ones that were not yet removed. Exact while no
    /// operation runs.</summary>
    public long Count => _count.Current;

    /// <summary>Bytes of the pile that the table takes, index and ghosts included, in blocks of 64 KiB.</summary>
    public long ReservedBytes =>
        (_log.Blocks + _index.Blocks + (_ghosts?.Blocks ?? 0)) << BlockLayout.BlockBytesShift;

    /// <summary>Bytes of the log that hold nothing any more.</summary>
    public long DeadBytes => _log.DeadBytes;

    /// <summary>Records that were evicted to make room.</summary>
    public long Evicted => Sweeper.Evicted;

    /// <summary>Records that were removed after their deadline.</summary>
    public long Expired => Sweeper.Expired;

    /// <summary>Throws when the pile was disposed of. Users of the table call this before a read, which does not check
    /// it.</summary>
    public void ThrowIfDisposed() => _registry.ThrowIfOver();

    /// <summary>Whether records of this size in all can be stored now. Other threads may take the room first.</summary>
    public bool HasRoom(long bytes) =>
        _context.Arena.VacantBlocks - SpareBlocks >= BlockLayout.BlocksFor(bytes) + (_index.Blocks / 2);

    /// <summary>The exception for a record of this size that found no room.</summary>
    public PileFullException Full(int keyBytes, int valueBytes) =>
        _pressure.Full(RecordHeader.Rounded((long)RecordHeader.Bytes + keyBytes + valueBytes));

    /// <summary>Copies the value of a key if the destination can hold all of it; describes the value in either case.
    /// Takes no lock, allocates nothing.</summary>
    /// <returns><see cref="RecordStatus.Found"/> or <see cref="RecordStatus.Missing"/>.</returns>
    public RecordStatus Read(in RecordKey key, Span<byte> destination, out RecordFound found)
    {
        if (_plainReader.TryRead(key, destination, out found))
            return RecordStatus.Found;
        return ReadPart(key, destination, RecordPart.Whole, out found);
    }

    /// <summary>Copies the first bytes of the value of a key, as many as the destination holds; describes the value.
    /// Takes no lock, allocates nothing.</summary>
    /// <returns><see cref="RecordStatus.Found"/> or <see cref="RecordStatus.Missing"/>.</returns>
    public RecordStatus Peek(in RecordKey key, Span<byte> destination, out RecordFound found) =>
        ReadPart(key, destination, RecordPart.Head, out found);

    /// <summary>Tries to copy the value of an integer key; succeeds in nearly all cases in which the key has a value
    /// that fits the destination. False: the caller uses <see cref="Read"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadPlain(ulong hash, long key, Span<byte> destination, out int length) =>
        _plainReader.TryRead(hash, key, destination, out length);

    /// <summary>Like <see cref="Read"/>, for walks over all records: the read does not count for eviction. Takes the
    /// lock of the bucket.</summary>
    public RecordStatus Glance(in RecordKey key, Span<byte> destination, out RecordFound found) =>
        ReadLocked(key, destination, RecordPart.Whole, out found);

    /// <summary>Stores a record if its <see cref="RecordForm.Condition"/> is met: in place when the new value fits the
    /// old record, otherwise as a new record.</summary>
    /// <returns><see cref="RecordStatus.Inserted"/> for a new key (or one whose record had expired),
    /// <see cref="RecordStatus.Displaced"/> when records of lower priority were evicted for it,
    /// <see cref="RecordStatus.Replaced"/>. When nothing was changed: <see cref="RecordStatus.Kept"/> or
    /// <see cref="RecordStatus.Missing"/> because of the condition, <see cref="RecordStatus.Full"/>,
    /// <see cref="RecordStatus.TooLarge"/>.</returns>
    public RecordStatus Put(in RecordKey key, in RecordForm form, ReadOnlySpan<byte> value) =>
        Put(new RecordPut(key, form, value));

    /// <summary>The same for a record that was put together before.</summary>
    public RecordStatus Put(in RecordPut put)
    {
        if (put.Key.Bytes.Length > KeyBytesMax || put.ValueBytes > ValueBytesMax)
            return RecordStatus.TooLarge;
        var status = TryPut(put);
        if (status is RecordStatus.Full or RecordStatus.Numerous)
            status = PutAfterMakingRoom(put);
        WatchDeadline(put.Form.Deadline);
        return status;
    }

    /// <summary>Replaces the first bytes of the value of a record that is not timed.</summary>
    /// <returns><see cref="RecordStatus.Found"/>, <see cref="RecordStatus.Missing"/>, or
    /// <see cref="RecordStatus.Full"/> when the record has to be written anew and there is no room.</returns>
    public RecordStatus SetHead(in RecordKey key, ReadOnlySpan<byte> head)
    {
        var status = TrySetHead(key, head);
        if (status != RecordStatus.Full)
            return status;
        _context.Allocator.Reclaim();
        _pressure.MakeRoom(BlockLayout.BlockBytes);
        return TrySetHead(key, head);
    }

    /// <summary>Sets the deadline and the put time of a timed record; with a token, only if the record still has the
    /// token's value.</summary>
    /// <returns><see cref="RecordStatus.Found"/> when the times were set; <see cref="RecordStatus.Missing"/> also when
    /// the record is not timed or had expired; <see cref="RecordStatus.Kept"/> when the token does not match;
    /// <see cref="RecordStatus.Full"/> when the new deadline is earlier, the record has to be written anew for it, and
    /// there is no room.</returns>
    public RecordStatus SetTimes(in RecordKey key, RecordTimes times, ulong? token = null)
    {
        RecordStatus status;
        using (var operation = _registry.Begin())
            status = _writer.SetTimes(operation.Cache, key, times, token);
        WatchDeadline(times.Deadline);
        AfterChange(default);
        return status;
    }

    /// <summary>Starts to fetch the bucket of a hash. Called about 32 reads before the read of the key. Only a
    /// hint.</summary>
    public void PrefetchBucket(ulong hash) => _reader.PrefetchBucket(hash);

    /// <summary>Starts to fetch the record of a hash whose bucket was fetched before. Called about 16 reads before the
    /// read of the key. Only a hint.</summary>
    public void PrefetchRecord(ulong hash) => _reader.PrefetchRecord(hash);

    /// <summary>Removes the record of a key; with a token, only if the record still has the token's value.</summary>
    /// <returns><see cref="RecordStatus.Found"/> when the record was removed; <see cref="RecordStatus.Missing"/> (also
    /// when it had expired), <see cref="RecordStatus.Kept"/> when the token does not match.</returns>
    public RecordStatus Remove(in RecordKey key, ulong? token = null)
    {
        RecordStatus status;
        RecordOrphan orphan;
        using (var operation = _registry.Begin())
            status = _writer.Remove(operation.Cache, key, token, out orphan);
        AfterChange(orphan);
        return status;
    }

    /// <summary>Starts a walk over all keys, in an unspecified order; see <see cref="TryNext"/>.</summary>
    public static RecordScan BeginScan() => BeginScan(0, ulong.MaxValue);

    /// <summary>Starts a walk over the keys whose hashes lie in a range. Only the top 24 bits of the range
    /// count.</summary>
    public static RecordScan BeginScan(ulong hashFirst, ulong hashLast) =>
        new(IndexEntry.TagOf(hashFirst), IndexEntry.TagOf(hashLast), IndexPage.Buckets);

    /// <summary>Gives the next key of a walk; the span is valid until the next call. False: the walk is complete. A key
    /// that exists during the whole walk is given exactly once; a key that is added or removed meanwhile may be given
    /// or not.</summary>
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

    /// <summary>Removes all records, after a purge has freed their memory; no operation is running.</summary>
    public void Clear()
    {
        _log.Clear();
        _count.Clear();
        Orphans.Clear();
        _ghosts?.Clear();
        var isMade = _index.TryClear();
        Invariant.Holds(isMade, "A pile that was just purged has room for an empty index.");
    }

    private void Collect(RecordScan scan)
    {
        using var operation = _registry.Begin();
        _index.Collect(scan);
    }

    // The index is made smaller only when it has fewer entries.
    private void Trim()
    {
        var whole = _limit.Bytes >> BlockLayout.BlockBytesShift;
        while (Options.MayForget && _count.Excess is var excess and > 0)
        {
            if (!Sweeper.TryEvictRecords(excess, byte.MaxValue, out _))
                break;
        }

        if (!Options.MayForget || _log.Blocks <= _limit.Blocks)
            return;
        EvictTo(Math.Max(_limit.Blocks, whole / 2));
        Sweeper.MergePages();
        EvictTo(_limit.Blocks);
    }

    private void EvictTo(long blocks)
    {
        while (_log.Blocks > blocks && Sweeper.TryEvict(Sweeper.Evictions, byte.MaxValue, out _))
            _context.Allocator.Reclaim();
    }

    // First reclaims ended segments, then evicts from this table, then asks the rest of the pile for memory.
    private RecordStatus PutAfterMakingRoom(in RecordPut put)
    {
        _context.Allocator.Reclaim();
        var extent = (long)RecordHeader.Bytes + RecordTimes.Bytes + put.Key.Bytes.Length + put.ValueBytes;
        var blocks = RecordLog.BlocksForRecord(extent);
        var isDisplacing = false;
        for (var evictions = 0; evictions < EvictionsMax; evictions++)
        {
            var seen = Sweeper.Evictions;
            var status = TryPut(put);
            if (status == RecordStatus.Inserted && isDisplacing)
                return RecordStatus.Displaced;
            if (status is not (RecordStatus.Full or RecordStatus.Numerous))
                return status;
            if (blocks > _limit.Blocks || !TryForget(status, seen, put.Form.Priority, out var priority))
                break;

            isDisplacing |= priority < put.Form.Priority;
            _context.Allocator.Reclaim();
        }

        if (blocks > _limit.Blocks)
            return RecordStatus.Full;
        if (_count.Excess < 0)
            _pressure.MakeRoom(blocks * BlockLayout.BlockBytes);
        else
            Sweeper.Expire(Clock.Now);
        var last = TryPut(put);
        return last == RecordStatus.Numerous ? RecordStatus.Full : last;
    }

    private bool TryForget(RecordStatus lack, long evictionsSeen, byte priorityMax, out byte priority)
    {
        priority = 0;
        if (!Options.MayForget)
            return false;
        return lack == RecordStatus.Numerous
            ? Sweeper.TryEvictRecords(RecordsPerEviction, priorityMax, out priority)
            : Sweeper.TryEvict(evictionsSeen, priorityMax, out priority);
    }

    private RecordStatus TryPut(in RecordPut put)
    {
        RecordStatus status;
        RecordOrphan orphan;
        using (var operation = _registry.Begin())
            status = _writer.Put(operation.Cache, put, out orphan);
        AfterChange(orphan);
        return status;
    }

    private RecordStatus TrySetHead(in RecordKey key, ReadOnlySpan<byte> head)
    {
        RecordStatus status;
        using (var operation = _registry.Begin())
            status = _writer.SetHead(operation.Cache, key, head);
        AfterChange(default);
        return status;
    }

    private RecordStatus ReadPart(in RecordKey key, Span<byte> destination, RecordPart part, out RecordFound found)
    {
        var spin = default(SpinWait);
        for (var attempt = 0; attempt < ReadAttemptsMax; attempt++)
        {
            if (_reader.TryRead(key, new RecordTarget(destination, part), out var status, out found))
                return status;
            spin.SpinOnce(sleep1Threshold: -1);
        }

        return ReadLocked(key, destination, part, out found);
    }

    private RecordStatus ReadLocked(in RecordKey key, Span<byte> destination, RecordPart part, out RecordFound found)
    {
        using var operation = _registry.Begin();
        return _writer.Read(key, new RecordTarget(destination, part), out found);
    }

    private void WatchDeadline(uint deadline)
    {
        if (deadline == 0)
            return;
        var now = Clock.Now;
        _context.Maintenance.Watch(LogClass.Of(0, deadline, now).End, now);
    }

    private void AfterChange(in RecordOrphan orphan)
    {
        Orphans.Delete(orphan);
        _pressure.ReclaimWhenWorthIt();
        if (_log.IsSparse)
            _context.Maintenance.MergeSoon();
        else if (_log.IsLoose)
            _context.Maintenance.MergeWhenQuiet();
    }
}
