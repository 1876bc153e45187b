using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Records;

/// <summary>
/// Gives the log segments that lie in the blocks of a restored or attached pile back to their tables: builds the
/// indexes anew from the records alone. Used once, before any other operation.
/// </summary>
/// <remarks>
/// Segments are taken in the order of their making, records by address, so of two records of one key the later one
/// counts. A record that was being written counts as dead, and room that was claimed and never written to is filled
/// with dead records. Objects of records that owe them are deleted by the next sweep. Old pieces of indexes, and
/// segments of unknown tables, end.
/// </remarks>
internal sealed class RecordRebuild
{
    private readonly RecordRealm _realm;
    private readonly RecordSpace _space;
    private readonly IReadOnlyList<RecordStore> _stores;

    public RecordRebuild(RecordRealm realm, IReadOnlyList<RecordStore> stores)
    {
        _realm = realm;
        _space = realm.Space;
        _stores = stores;
    }

    /// <summary>
    /// Takes over what lies in the blocks up to the last one, but for the given first blocks of segments made since.
    /// </summary>
    /// <exception cref="PileFullException">The budget does not hold the indexes.</exception>
    /// <exception cref="InvalidDataException">A segment is damaged; the message says where.</exception>
    public void Run(long blockLast, IReadOnlySet<long> young)
    {
        var segments = new List<(LogSegment Segment, RecordStore Store)>();
        for (long block = 1; block <= blockLast; block++)
        {
            var entry = _space.Table.Entry(block);
            if (entry.State != SlabState.SegmentHead || young.Contains(block))
                continue;
            var isLog = entry.Class == SizeClasses.LogIndex;
            if (isLog && TryOpen(block, out var store) is { } segment)
                segments.Add((segment, store!));
            else
                _realm.Arena.End(block);
        }

        segments.Sort((left, right) => left.Segment.Sequence.CompareTo(right.Segment.Sequence));
        foreach (var (segment, store) in segments)
            TakeOver(segment, store);
    }

    private LogSegment? TryOpen(long block, out RecordStore? store)
    {
        var offset = _space.BlockOffset(block);
        var window = _space.Window;
        if (window.ReadWord(offset) != SegmentHeader.Magic)
            throw new InvalidDataException($"Block {block} is said to be a log segment and does not begin like one.");
        var described = window.ReadWord(offset + SegmentHeader.TableAt);
        var number = SegmentHeader.TableOf(described);
        store = number < (uint)_stores.Count ? _stores[(int)number] : null;
        var logClass = SegmentHeader.ClassOf(described, window.ReadWord(offset + SegmentHeader.WindowAt));
        var bytes = _space.Table.Count(block) * BlockLayout.BlockBytes;
        var sequence = window.ReadWord(offset + SegmentHeader.SequenceAt);
        return store is null ? null : new LogSegment(block, offset, bytes, logClass, sequence);
    }

    private void TakeOver(LogSegment segment, RecordStore store)
    {
        _space.Close(segment);
        _space.Table.ClearDead(segment.Head);
        var end = _space.EndOf(segment);
        if (end > segment.Offset + segment.Bytes)
            throw new InvalidDataException($"The cursor of the log segment at block {segment.Head} is outside of it.");

        // Counted first as the segment's own, so that no record ends it before it is known.
        store.Log.Adopt(segment, segment.Offset + segment.Bytes - end + SegmentHeader.Bytes);
        var cache = _realm.Registry.Enter();
        try
        {
            for (var offset = segment.Offset + SegmentHeader.Bytes; offset < end;)
                offset += TakeOver(cache, segment, store, offset);
        }
        finally
        {
            cache.Exit();
        }
    }

    private long TakeOver(ThreadCache cache, LogSegment segment, RecordStore store, long offset)
    {
        var header = _space.Header(offset);
        if (header.State == RecordState.Blank)
        {
            // Claimed and never written: the process ended between the two. A header without key and value is a word.
            Kill(store, offset, default);
            return RecordHeader.WordBytes;
        }

        if (header.Extent > segment.Offset + segment.Bytes - offset)
        {
            throw new InvalidDataException(
                $"The record at byte {offset - segment.Offset} of the log segment at block {segment.Head} ends behind "
                + "the segment.");
        }

        if (header.State == RecordState.Live)
            Index(cache, store, offset);
        else if (header.State == RecordState.Owing)
            store.Orphans.DeleteLater(store.Writer.OrphanAt(offset));
        else
            Kill(store, offset, header);
        return header.Extent;
    }

    private void Index(ThreadCache cache, RecordStore store, long offset)
    {
        var key = _space.Key(offset, _space.Header(offset));
        var (status, older) = store.Writer.Adopt(cache, new RecordKey(_realm.Hash.OfBytes(key), key), offset);
        if (status == RecordStatus.Full)
            throw new PileFullException(_realm.Arena.BudgetBytes, BlockLayout.BlockBytes);
        if (older != 0)
            Replace(store, older, offset);
    }

    // The process ended when the later one was written and the earlier one not yet dead.
    private void Replace(RecordStore store, long older, long later)
    {
        var header = _space.Header(older);
        var orphan = store.Writer.End(older, header, heir: store.Writer.OrphanAt(later).Object);
        store.Orphans.DeleteLater(orphan);
        if (orphan.IsNone)
            store.Log.AddDead(older, header.Extent);
    }

    private void Kill(RecordStore store, long offset, RecordHeader header)
    {
        _space.SetState(offset, header, RecordState.Dead);
        store.Log.AddDead(offset, header.Extent);
    }
}
