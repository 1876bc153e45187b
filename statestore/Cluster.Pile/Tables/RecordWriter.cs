using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Rebuild;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables;

/// <summary>Changes of records of one table. Each change is one step inside an operation, under the lock of one bucket.
/// Owned by one table; a change without room is not made.</summary>
/// <remarks>A new record is written before the index names it, and the old record is made dead first. So at every
/// moment a reader finds the old value or the new one, or reads again; and after one reader has found the new value,
/// none finds the old one. A record that owns an object is made <see cref="RecordState.Owing"/> instead of dead until
/// the object is deleted.</remarks>
internal sealed class RecordWriter(
    RecordContext context, RecordIndex index, RecordLog log, RecordGhosts? ghosts, RecordCount count)
{
    // A longer value is written as a new record, so that readers never see many bytes change during their copy.
    private const int RewrittenBytesMax = 16 << 10;

    private readonly RecordSpace _space = context.Space;
    private readonly RecordIndex _index = index;
    private readonly RecordLog _log = log;
    private readonly DeadlineClock _clock = context.Clock;
    private readonly RecordGhosts? _ghosts = ghosts;
    private readonly RecordCount _count = count;

    /// <summary>The number of records of the table.</summary>
    public RecordCount Count => _count;

    /// <summary>The keys that were evicted; null in a table that does not evict.</summary>
    public RecordGhosts? Ghosts => _ghosts;

    /// <summary>Stores a record, or returns why it does not. The caller gives an object that the old value owned to
    /// <see cref="RecordOrphans"/>.</summary>
    public RecordStatus Put(ThreadCache cache, in RecordPut put, out RecordOrphan orphan)
    {
        orphan = default;
        while (true)
        {
            var bucket = _index.Lock(put.Key.Hash);
            var status = PutLocked(cache, ref bucket, put, ref orphan);
            if (status is RecordStatus.Inserted or RecordStatus.Replaced)
                _index.Unlock(bucket);
            else
                _index.UnlockUnchanged(bucket);
            if (status != RecordStatus.Crowded)
                return status;
            if (!_index.TrySplit(put.Key.Hash, bucket.Word))
                return RecordStatus.Full;
        }
    }

    /// <summary>Removes a record. The caller gives an object that it owned to <see cref="RecordOrphans"/>.</summary>
    public RecordStatus Remove(ThreadCache cache, in RecordKey key, ulong? token, out RecordOrphan orphan)
    {
        orphan = default;
        var bucket = _index.Lock(key.Hash);
        var at = _index.Find(bucket, key.Bytes, out var entry);
        var offset = _space.OffsetOf(entry.Granule);
        var header = at == 0 ? default : _space.Header(offset);
        var status = at == 0 ? RecordStatus.Missing
            : token is { } asked && asked != TokenAt(entry.Granule, header) ? RecordStatus.Kept
            : RecordStatus.Found;
        if (status != RecordStatus.Found)
        {
            _index.UnlockUnchanged(bucket);
            return status;
        }

        var isOver = IsOver(offset, header);
        orphan = Drop(cache, ref bucket, at, entry);
        _index.Unlock(bucket);
        return isOver ? RecordStatus.Missing : RecordStatus.Found;
    }

    /// <summary>Replaces the first bytes of the value of a record that is not timed. Full: the record has to be written
    /// anew, and there is no room.</summary>
    public RecordStatus SetHead(ThreadCache cache, in RecordKey key, ReadOnlySpan<byte> head)
    {
        var bucket = _index.Lock(key.Hash);
        var at = _index.Find(bucket, key.Bytes, out var entry);
        var status = at == 0 ? RecordStatus.Missing : SetHead(cache, at, key, head);
        if (status == RecordStatus.Found)
            _index.Unlock(bucket);
        else
            _index.UnlockUnchanged(bucket);
        return status;
    }

    private RecordStatus SetHead(ThreadCache cache, long at, in RecordKey key, ReadOnlySpan<byte> head)
    {
        var offset = _space.OffsetOf(_index.EntryAt(at).Granule);
        var header = _space.Header(offset);
        Invariant.Holds(!header.IsTimed && header.ValueBytes >= head.Length, "A head fits into an untimed record.");
        var form = new RecordForm { Kind = header.Kind };
        if (_space.MayRewrite)
        {
            _space.Rewrite(offset, header, header.NextVersion(), default, new RecordPut(key, form, head));
            return RecordStatus.Found;
        }

        // The record cannot be changed in place where a dying process would leave a mix of old and new bytes.
        var orphan = default(RecordOrphan);
        var put = new RecordPut(key, form, _space.Value(offset, header)[head.Length..]) { Head = head };
        return TryReplace(cache, at, put, ref orphan) ? RecordStatus.Found : RecordStatus.Full;
    }

    /// <summary>Sets the times of a timed record; with a token, only if the record still has the token's value. Full:
    /// the record has to be written anew for the new deadline, and there is no room.</summary>
    public RecordStatus SetTimes(ThreadCache cache, in RecordKey key, RecordTimes times, ulong? token)
    {
        var bucket = _index.Lock(key.Hash);
        var at = _index.Find(bucket, key.Bytes, out var entry);
        var offset = _space.OffsetOf(entry.Granule);
        var header = at == 0 ? default : _space.Header(offset);
        var status = at == 0 || !header.IsTimed || IsOver(offset, header) ? RecordStatus.Missing
            : token is { } asked && asked != TokenAt(entry.Granule, header) ? RecordStatus.Kept
            : RecordStatus.Found;
        if (status == RecordStatus.Found)
            status = SetTimes(cache, at, entry, times);
        _index.Unlock(bucket);
        return status;
    }

    private RecordStatus SetTimes(ThreadCache cache, long at, IndexEntry entry, RecordTimes times)
    {
        var offset = _space.OffsetOf(entry.Granule);
        var header = _space.Header(offset);
        var logClass = _space.ClassAt(offset);
        if (logClass.MayHold(times.Deadline))
        {
            _space.SetTimes(offset, times);
            return RecordStatus.Found;
        }

        logClass = LogClass.Of(logClass.Priority, times.Deadline, _clock.Now);
        var moved = Move(cache, at, entry, logClass);
        if (moved == 0)
            return RecordStatus.Full;
        _space.SetTimes(moved, times);
        return RecordStatus.Found;
    }

    /// <summary>Moves a record to another segment; the caller holds the lock of its bucket. Returns the new offset, or
    /// 0 when there is no room and the record stays.</summary>
    public long Move(ThreadCache cache, long at, IndexEntry entry, LogClass logClass)
    {
        var offset = _space.OffsetOf(entry.Granule);
        var header = _space.Header(offset);
        var stream = _log.StreamOf(logClass);
        var made = _log.ClaimForMove(stream, header.Extent);
        if (made == 0)
            return 0;
        _space.CopyRecord(offset, made, header);
        _space.SetState(offset, header, RecordState.Dead);
        _index.Replace(at, entry, _space.GranuleOf(made));
        _log.Retire(cache.Number, offset, header.Extent);
        return made;
    }

    /// <summary>Makes the index name a record that was found in restored memory; returns the offset of the record that
    /// it named before.</summary>
    public (RecordStatus Status, long Older) Adopt(ThreadCache cache, in RecordKey key, long offset)
    {
        while (true)
        {
            var bucket = _index.Lock(key.Hash);
            var at = _index.Find(bucket, key.Bytes, out var entry);
            var isAdded = at != 0 || RecordIndex.TryAdd(ref bucket, _space.GranuleOf(offset));
            if (at != 0)
                _index.Replace(at, entry, _space.GranuleOf(offset));
            else if (isAdded)
                _count.Add(cache);
            _index.Unlock(bucket);
            if (isAdded)
                return at == 0 ? (RecordStatus.Inserted, 0) : (RecordStatus.Replaced, _space.OffsetOf(entry.Granule));
            if (!_index.TrySplit(key.Hash, bucket.Word))
                return (RecordStatus.Full, 0);
        }
    }

    /// <summary>Removes a record that the caller has found under the lock of its bucket; returns the object that it
    /// owned.</summary>
    public RecordOrphan Drop(ThreadCache cache, ref LockedBucket bucket, long at, IndexEntry entry)
    {
        var offset = _space.OffsetOf(entry.Granule);
        var header = _space.Header(offset);
        var orphan = Free(offset, header, heir: default);
        _index.Remove(ref bucket, at, entry);
        Retire(cache, offset, header, orphan);
        _count.Remove(cache);
        return orphan;
    }

    /// <summary>Makes a record dead; its successor owns the object <paramref name="heir"/>. Returns the object that no
    /// record owns any more. A record with such an object is owing, and its place is not reused before
    /// <see cref="Settle"/>.</summary>
    public RecordOrphan Free(long offset, RecordHeader header, PilePointer heir)
    {
        var owned = OwnedBy(offset, header);
        var isOwing = !owned.IsDefault && owned != heir;
        _space.SetState(offset, header, isOwing ? RecordState.Owing : RecordState.Dead);
        return isOwing ? OrphanAt(offset, owned) : default;
    }

    /// <summary>The object that a record owns, or that still has to be deleted for it.</summary>
    public RecordOrphan OrphanAt(long offset) => OrphanAt(offset, OwnedBy(offset, _space.Header(offset)));

    /// <summary>Takes the place of a record back after its object was deleted, unless a purge has freed it.</summary>
    public void Settle(ThreadCache cache, in RecordOrphan orphan)
    {
        if (!_space.Table.Entry(BlockOf(orphan.Offset)).IsSameLife(orphan.Entry))
            return;
        var header = _space.Header(orphan.Offset);
        Invariant.Holds(header.State == RecordState.Owing, "A record owes its object once.");
        _space.SetState(orphan.Offset, header, RecordState.Dead);
        _log.Retire(cache.Number, orphan.Offset, header.Extent);
    }

    /// <summary>Whether a record has expired.</summary>
    public bool IsOver(long offset, RecordHeader header) =>
        header.IsTimed && _clock.IsPast(_space.Times(offset, header).Deadline);

    /// <summary>Reads a value under the lock of its bucket.</summary>
    public RecordStatus Read(in RecordKey key, in RecordTarget target, out RecordFound found)
    {
        found = default;
        var bucket = _index.Lock(key.Hash);
        var at = _index.Find(bucket, key.Bytes, out var entry);
        var offset = _space.OffsetOf(entry.Granule);
        var header = at == 0 ? default : _space.Header(offset);
        var status = at == 0 || IsOver(offset, header) ? RecordStatus.Missing : RecordStatus.Found;
        if (status == RecordStatus.Found)
        {
            var token = TokenAt(entry.Granule, header);
            found = new RecordFound(header.Kind, header.ValueBytes, _space.Times(offset, header), token);
            var copied = target.For(header.ValueBytes);
            _space.Value(offset, header)[..copied.Length].CopyTo(copied);
        }

        _index.UnlockUnchanged(bucket);
        return status;
    }

    private RecordStatus PutLocked(
        ThreadCache cache, ref LockedBucket bucket, in RecordPut put, ref RecordOrphan orphan)
    {
        var at = _index.Find(bucket, put.Key.Bytes, out var entry);
        if (at == 0)
        {
            return put.Form.Condition is RecordCondition.Always or RecordCondition.Absent
                ? Insert(cache, ref bucket, put)
                : RecordStatus.Missing;
        }

        var offset = _space.OffsetOf(entry.Granule);
        var header = _space.Header(offset);
        var refusal = RefusalOf(entry.Granule, header, put.Form, out var replaced);
        if (refusal != RecordStatus.Found)
            return refusal;
        if (!put.OldHead.IsEmpty)
        {
            _space.Value(offset, header)[..put.OldHead.Length].CopyTo(put.OldHead);
            put.OldValueBytes[0] = header.ValueBytes;
        }

        return TryRewrite(offset, header, put) || TryReplace(cache, at, put, ref orphan) ? replaced : RecordStatus.Full;
    }

    // Writes the record of an entry anew.
    private bool TryReplace(ThreadCache cache, long at, in RecordPut put, ref RecordOrphan orphan)
    {
        var entry = _index.EntryAt(at);
        var offset = _space.OffsetOf(entry.Granule);
        var header = _space.Header(offset);
        var made = Append(cache, put, _ghosts is not null && _space.ClassAt(offset).IsMain);
        if (made == 0)
            return false;
        orphan = Free(offset, header, heir: OwnedBy(made, _space.Header(made)));
        _index.Replace(at, entry, _space.GranuleOf(made));
        Retire(cache, offset, header, orphan);
        return true;
    }

    private RecordStatus Insert(ThreadCache cache, ref LockedBucket bucket, in RecordPut put)
    {
        if (!_count.TryTake())
            return RecordStatus.Numerous;
        var isBack = _ghosts is not null && _ghosts.Contains(put.Key.Hash);
        var made = Append(cache, put, isBack && _ghosts!.MayPromote);
        if (made == 0)
        {
            _count.GiveBack();
            return RecordStatus.Full;
        }

        if (RecordIndex.TryAdd(ref bucket, _space.GranuleOf(made)))
        {
            _count.Add(cache);
            if (isBack)
                _ghosts!.Remove(put.Key.Hash);
            return RecordStatus.Inserted;
        }

        _count.GiveBack();
        var header = _space.Header(made);
        _space.SetState(made, header, RecordState.Dead);
        _log.Retire(cache.Number, made, header.Extent);
        return RecordStatus.Crowded;
    }

    private long Append(ThreadCache cache, in RecordPut put, bool isMain)
    {
        var form = put.Form;
        var header = new RecordHeader(
            RecordState.Live, form.Kind, form.IsTimed, put.Key.Bytes.Length, put.ValueBytes);
        var logClass = LogClass.Of(form.Priority, form.Deadline, form.Deadline == 0 ? 0 : _clock.Now);
        if (isMain && form.Deadline == 0)
            logClass = logClass with { IsMain = true };
        var stream = _log.StreamOf(logClass);
        var offset = _log.Claim(stream, cache.Number % stream.Lanes, header.Extent, out var isUsedAgain);
        if (isUsedAgain)
            header = _space.NextAt(offset, header);
        if (offset != 0)
            _space.Write(offset, header, TimesOf(form), put);
        return offset;
    }

    private bool TryRewrite(long offset, RecordHeader header, in RecordPut put)
    {
        var form = put.Form;
        if (!_space.MayRewrite || header.Kind == RecordKind.Pointer || header.IsTimed != form.IsTimed
            || Math.Max(header.ValueBytes, put.ValueBytes) > RewrittenBytesMax
            || !MayStay(offset, form) || !header.TryRefill(form.Kind, put.ValueBytes, out var next))
        {
            return false;
        }

        _space.Rewrite(offset, header, next, TimesOf(form), put);
        return true;
    }

    // Whether the segment of a record also fits its new priority and deadline.
    private bool MayStay(long offset, in RecordForm form)
    {
        if (form.Priority == 0 && form.Deadline == 0 && _log.IsUniform)
            return true;
        var logClass = _space.ClassAt(offset);
        return logClass.Priority == form.Priority && logClass.MayHold(form.Deadline);
    }

    // Found: nothing prevents the put. The parameter replaced is then the result of the put.
    private RecordStatus RefusalOf(long granule, RecordHeader header, in RecordForm form, out RecordStatus replaced)
    {
        var isOver = IsOver(_space.OffsetOf(granule), header);
        replaced = isOver ? RecordStatus.Inserted : RecordStatus.Replaced;
        return form.Condition switch
        {
            RecordCondition.Absent => isOver ? RecordStatus.Found : RecordStatus.Kept,
            RecordCondition.Present => isOver ? RecordStatus.Missing : RecordStatus.Found,
            RecordCondition.Unchanged =>
                isOver ? RecordStatus.Missing
                    : form.Token == TokenAt(granule, header) ? RecordStatus.Found : RecordStatus.Kept,
            _ => RecordStatus.Found,
        };
    }

    // An owing record keeps its place, so that its segment does not end.
    private void Retire(ThreadCache cache, long offset, RecordHeader header, in RecordOrphan orphan)
    {
        if (orphan.IsNone)
            _log.Retire(cache.Number, offset, header.Extent);
    }

    private RecordOrphan OrphanAt(long offset, PilePointer owned) =>
        new(owned, offset, _space.Table.Entry(BlockOf(offset)));

    private long BlockOf(long offset) => SlabTable.BlockOf(_space.GranuleOf(offset));

    private ulong TokenAt(long granule, RecordHeader header) =>
        RecordReader.TokenOf(granule, header, _space.Table.Entry(SlabTable.BlockOf(granule)));

    private PilePointer OwnedBy(long offset, RecordHeader header) =>
        header.Kind == RecordKind.Pointer ? _space.Pointer(offset, header) : default;

    private RecordTimes TimesOf(in RecordForm form) =>
        form.IsTimed ? new RecordTimes(form.Deadline, _clock.Now) : default;
}
