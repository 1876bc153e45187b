using Cluster.Pile.Layout;
using Cluster.Pile.Objects;
using Cluster.Pile.Slots;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tables.Rebuild;

/// <summary>Gives the log segments of a restored or attached pile back to their tables, and builds the indexes from the
/// records. Used once, before any other operation.</summary>
/// <remarks>Segments are taken in the order of their creation, records by address; of two records of one key the later
/// one counts. A record that was being written counts as dead, and room that was claimed but never written is filled
/// with dead records. A record that has expired, or whose object does not exist, is removed. The objects of removed
/// records are deleted last.</remarks>
internal sealed class RecordRebuild(
    RecordContext context, ObjectStore objects, RestoredSegments segments, RecordRebuildRules rules)
{
    private readonly RecordContext _context = context;
    private readonly RecordSpace _space = context.Space;
    private readonly ObjectStore _objects = objects;
    private readonly RestoredSegments _segments = segments;
    private readonly RecordRebuildRules _rules = rules;
    private readonly Func<uint, bool> _isPast = rules.IsPast ?? context.Clock.IsPast;
    private readonly RebuildReadAhead _ahead = new RebuildReadAhead(context.Space, segments);
    private ulong _hash;

    /// <summary>Restores all tables.</summary>
    /// <exception cref="PileFullException">The budget does not hold the indexes.</exception>
    public void Run(IReadOnlyList<RecordStore> stores)
    {
        while (_segments.TryTake(out var segment, out var table))
            TakeOver(segment, stores[table]);
        foreach (var store in stores)
            store.Orphans.DeleteWaiting();
    }

    private void TakeOver(LogSegment segment, RecordStore store)
    {
        _space.Close(segment);
        _space.Table.ClearDead(segment.Head);
        var end = _space.EndOf(segment);

        // The unused end counts as dead from the start and the header with it, so that no dead record ends the segment
        // before the table knows it.
        store.Log.Adopt(segment, segment.Offset + segment.Bytes - end + SegmentHeader.Bytes);
        _ahead.Begin(segment, store);
        for (var offset = RestoredSegments.FirstIn(segment); offset < end;)
        {
            _hash = _ahead.MoveOn();
            var header = _space.Header(offset);
            var problem = _segments.Problem(segment, offset, header);
            if (problem is not null)
                _rules.Damaged(segment.Head, problem);
            var extent = problem is null ? header.Extent : end - offset;
            TakeOver(store, offset, header, problem is null ? -1 : extent);
            offset += extent;
        }
    }

    private void TakeOver(RecordStore store, long offset, RecordHeader header, long lostBytes)
    {
        // The index may have grown: reclaiming its old directory may give enough room.
        var isReclaimed = false;
        while (TryTakeOver(store, offset, header, lostBytes) == RecordStatus.Full)
        {
            if (isReclaimed && !_segments.TryGiveUp())
                throw new PileFullException(_context.Arena.BudgetBytes, BlockLayout.BlockBytes);
            _context.Allocator.Reclaim();
            isReclaimed = true;
        }
    }

    private RecordStatus TryTakeOver(RecordStore store, long offset, RecordHeader header, long lostBytes)
    {
        using var operation = _context.Registry.Begin();
        if (lostBytes >= 0)
            store.Log.AddDead(offset, lostBytes);
        else if (header.State == RecordState.Owing)
            store.Orphans.DeleteLater(store.Writer.OrphanAt(offset));
        else if (header.State != RecordState.Live)
            Kill(store, offset, header);
        else if (IsLost(offset, header))
            Free(store, offset, header, heir: default);
        else
            return TryIndex(operation.Cache, store, offset, header);
        return RecordStatus.Found;
    }

    private bool IsLost(long offset, RecordHeader header) =>
        (header.IsTimed && _space.Times(offset, header).Deadline is var deadline and not 0 && _isPast(deadline))
            || (header.Kind == RecordKind.Pointer && !_objects.IsLive(_space.Pointer(offset, header)));

    private RecordStatus TryIndex(ThreadCache cache, RecordStore store, long offset, RecordHeader header)
    {
        var key = _space.Key(offset, header);
        var (status, older) = store.Writer.Adopt(cache, new RecordKey(_hash, key), offset);

        // The process died after it had written the later record and before it made the earlier one dead.
        if (older != 0)
            Free(store, older, _space.Header(older), heir: store.Writer.OrphanAt(offset).Object);
        return status;
    }

    private static void Free(RecordStore store, long offset, RecordHeader header, PilePointer heir)
    {
        var orphan = store.Writer.Free(offset, header, heir);
        store.Orphans.DeleteLater(orphan);
        if (orphan.IsNone)
            store.Log.AddDead(offset, header.Extent);
    }

    // Room that was never written has a header without key and value.
    private void Kill(RecordStore store, long offset, RecordHeader header)
    {
        _space.SetState(offset, header, RecordState.Dead);
        store.Log.AddDead(offset, header.Extent);
    }
}
