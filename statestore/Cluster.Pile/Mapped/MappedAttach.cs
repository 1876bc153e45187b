using Cluster.Pile.Barriers;
using Cluster.Pile.Context;
using Cluster.Pile.Expiry;
using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped.Intents;
using Cluster.Pile.Rebuild;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Rebuild;

namespace Cluster.Pile.Mapped;

/// <summary>Brings a new pile to the state of its mapped files. After a clean shutdown the tables alone describe it;
/// otherwise every slot is read. Used once, by one thread.</summary>
/// <remarks>
/// After the death of a process:
/// <list type="number">
/// <item>an update that was in progress is finished, and a purge is completed</item>
/// <item>half-made slabs, runs and segments are freed</item>
/// <item>the <see cref="Rebuilder"/> removes locks and views, frees bodies without an owner, and rebuilds bitmaps,
/// lists and counters from entries and headers</item>
/// <item>the tables of records are created from the catalog, and take over the records in the log segments</item>
/// </list>
/// Each step can be repeated, so the process may die during any of them.
/// </remarks>
internal sealed class MappedAttach
{
    // Deadlines tell past from future for up to 221 days. When the folder lay idle for longer than this, every slot
    // is checked by the clock of the last use.
    private static readonly long GapTicksMax = TimeSpan.FromDays(200).Ticks;

    private const string ChangedBlock =
        "what is in it does not agree with its checksum, and no pile has changed it since that was taken. To attach "
        + $"all the same, set {nameof(PileOptions)}.{nameof(PileOptions.MappedFolderCheck)} to "
        + $"{nameof(PileFolderCheck)}.{nameof(PileFolderCheck.Tables)}.";

    private readonly PileContext _pile;
    private readonly MappedFolder _folder;
    private readonly MappedFiles _files;
    private readonly long _blockLast;

    public MappedAttach(PileContext pile, MappedFolder folder, MappedFiles files)
    {
        (_pile, _folder, _files) = (pile, folder, files);
        _blockLast = TableChecksum.LastUsed(pile.Table);
    }

    /// <summary>Throws when the files are damaged. The files are then unchanged, or can be attached again.</summary>
    public void Run(MappedState left, long gapTicks)
    {
        if (left.IsClean)
        {
            CheckCounters(left);
            CheckTables(left);
        }

        TableRows.Check(_pile.Table, _files.Tables(_folder.TablesNumber));
        VacateIndexes();
        ShowSegments();
        CheckBlocks(left.IsClean);
        var sums = new BlockSums(_pile.Table);
        var known = sums.Known();
        if (known.Count > 0)
            _pile.Table.Barrier.Open(sums);
        var isLongAgo = gapTicks > GapTicksMax;
        IReadOnlyList<(long Head, long Blocks)> segments = [];
        var isAdopted = left.IsClean && !isLongAgo && CleanTables.TryAdopt(_pile, left, _blockLast, out segments);
        if (!isAdopted)
            segments = Rebuild(left.IsClean && isLongAgo ? deadline => HasPassed(left, gapTicks, deadline) : null);
        ClearUnused();
        RestoreTables(segments, left.IsClean);

        // A block whose checksum was right before the attach is right after the changes of the attach. A thread that
        // removes expired objects may run already, so no operation may run here.
        _pile.Allocator.RunBetweenOperations(() => sums.Retake(known, _pile.Window, _pile.Layout));
    }

    // Retired slots are added up one by one, so a number that no pile can have is refused first.
    private void CheckCounters(MappedState left)
    {
        var slotsMax = _pile.Layout.BudgetBytes / PilePointer.GranuleBytes;
        long[] counters = [left.Objects, left.Links, .. left.RetiredSlots];
        if (left.LiveBytes < 0 || counters.Any(counter => counter < 0 || counter > slotsMax))
        {
            throw CheckedFile.Damaged(
                _files.State, $"it counts more objects or slots than the {slotsMax:N0} that its budget has room for.");
        }
    }

    private void CheckTables(MappedState left)
    {
        if (left.BlockLast == _blockLast
            && left.TablesChecksum == TableChecksum.Of(_pile.Window, _pile.Layout, _blockLast))
        {
            return;
        }

        throw CheckedFile.Damaged(
            _files.Tables(_folder.TablesNumber),
            $"the rows of blocks 0..{left.BlockLast} do not agree with the checksum in {_files.State}.");
    }

    private void CheckBlocks(bool isClean)
    {
        if (_folder.IsCheckingBlocks)
        {
            var check = new BlockCheck(_pile, mayBeLocked: !isClean);
            check.Run(_blockLast, block => throw DamagedBlock(block, ChangedBlock));
        }
        else
        {
            BlockSums.DropAll(_pile.Table);
        }
    }

    // Returns the log segments of the pile.
    private IReadOnlyList<(long Head, long Blocks)> Rebuild(Func<uint, bool>? isPast)
    {
        CountRuns();
        if (_folder.Intents.IsPurging)
            FreeAll();
        else if (!UnfinishedUpdates.TryFinish(_folder.Intents, _pile.Space, out var granule))
            throw CheckedFile.Damaged(_files.Intents, $"the intent for granule {granule:x} leads to no new value.");
        _folder.Intents.Reset();
        FreeHalfMade();
        var rules = new RebuildRules
        {
            Margin = 0,
            BusyIsWhole = true,
            IsPast = isPast ?? _pile.Deadlines.Clock.IsPast,
            Damaged = (block, problem) => throw DamagedBlock(block, problem),
        };
        var rebuilder = new Rebuilder(_pile, rules);
        rebuilder.Run(_blockLast);
        TableRows.Settle(_pile.Table);
        return rebuilder.Segments;
    }

    // The count of a run may be damaged. It is set anew, so that code that runs before the rebuild stays within the
    // run.
    private void CountRuns()
    {
        for (long block = 1; block <= _blockLast; block++)
        {
            var entry = _pile.Table.Entry(block);
            if (entry.State == SlabState.RunHead)
                _pile.Table.SetCount(block, BlocksFrom(block, entry));
        }
    }

    // Judged by the clock of the last use: at that time each deadline was past or at most 400 days ahead.
    private static bool HasPassed(MappedState left, long gapTicks, uint deadline) =>
        DeadlineSteps.OfObjects.IsPast(deadline, DeadlineSteps.OfObjects.At(left.ElapsedTicks), gapTicks);

    // Indexes are built again from the records.
    private void VacateIndexes()
    {
        for (long block = 1; block <= _blockLast; block++)
        {
            var entry = _pile.Table.Entry(block);
            if (entry.State != SlabState.Vacant && entry.Class == SizeClasses.PageIndex)
                _pile.Table.SetEntry(block, entry.Vacated());
        }
    }

    private void ShowSegments()
    {
        for (long block = 1; block <= _blockLast; block++)
        {
            if (_pile.Table.Entry(block).State == SlabState.Vacant)
                continue;
            if (!_folder.Source.TryAttach(SegmentMap.SegmentOf(block)))
            {
                throw new PileFolderException(
                    _files.Blocks,
                    $"the system refused to map block {block:N0}. Raise the limit on the mappings of this process, or "
                    + "free room on the disk.");
            }
        }
    }

    // A purge frees everything that was there, so it does not matter how far the purge came.
    private void FreeAll()
    {
        for (long block = 1; block <= _blockLast; block++)
        {
            var entry = _pile.Table.Entry(block);
            if (entry.State != SlabState.Vacant)
                _pile.Table.SetEntry(block, entry.Freed());
        }
    }

    private void FreeHalfMade()
    {
        for (long block = 1; block <= _blockLast;)
        {
            var entry = _pile.Table.Entry(block);
            if (entry.State == SlabState.Slots && !IsWholeSlab(block, entry) && HasOnlyFreeSlots(block))
                _pile.Table.SetEntry(block, entry.Freed());
            else if (entry.State is SlabState.RunTail or SlabState.SegmentTail || BlockGroups.IsFreedTail(entry))
                _pile.Table.SetEntry(block, entry.Vacated());
            block += BlocksFrom(block, _pile.Table.Entry(block));
        }
    }

    private long BlocksFrom(long block, SlabEntry entry)
    {
        if (entry.State != SlabState.Slots)
            return BlockGroups.CountBlocks(_pile.Table, block, entry, _blockLast);
        return IsWholeSlab(block, entry) ? entry.Blocks : 1;
    }

    private bool IsWholeSlab(long head, SlabEntry entry) =>
        BlockGroups.IsWholeSlab(_pile.Table, head, entry, _blockLast);

    // Slots are handed out only after all entries of their slab are written, and all slots are free again before the
    // first entry goes. So a half-made slab has only free slots.
    private bool HasOnlyFreeSlots(long block)
    {
        if (!BlockGroups.IsOfSlab(_pile.Table.Entry(block)))
            return false;
        var slots = new BlockSlots(_pile, block);
        for (var slot = slots.First; slot < slots.End; slot++)
        {
            if (_pile.Space.Header(slots.PlaceOf(slot)).State is not (SlotState.Free or SlotState.Retired))
                return false;
        }

        return true;
    }

    // Blocks behind the last one in use count as never used, so they must be zero; segments without a block in use
    // count as absent.
    private void ClearUnused()
    {
        var frontier = _pile.Arena.Frontier;
        var segments = SegmentMap.SegmentOf(_pile.Layout.BlockCount) + 1;
        var inUse = new bool[segments];
        for (long block = 1; block <= frontier; block++)
            inUse[SegmentMap.SegmentOf(block)] |= _pile.Table.Entry(block).State != SlabState.Vacant;
        for (long segment = 0; segment < segments; segment++)
        {
            if (!inUse[segment])
                _folder.Source.Hide(segment);
        }

        _folder.Source.DropHidden();
        var last = frontier == 0 ? -1 : SegmentMap.SegmentOf(frontier);
        if (last >= 0 && inUse[last])
            ClearBehind(frontier, Math.Min(_pile.Layout.BlockCount, SegmentMap.FirstBlock(last + 1) - 1));
    }

    private void ClearBehind(long frontier, long blockLast)
    {
        var end = _pile.Layout.BlockOffset(blockLast + 1);
        for (var offset = _pile.Layout.BlockOffset(frontier + 1); offset < end; offset += sizeof(ulong))
        {
            if (_pile.Window.ReadWord(offset) != 0)
                _pile.Window.WriteWord(offset, 0);
        }
    }

    private void RestoreTables(IReadOnlyList<(long Head, long Blocks)> segments, bool isClean)
    {
        if (_folder.Catalog.Description.IsEmpty)
        {
            if (segments.Count > 0)
                throw CheckedFile.Damaged(_files.Catalog, $"it knows no tables, and {segments.Count} have records.");
            return;
        }

        try
        {
            var rules = new RecordRebuildRules
            {
                MayBeHalfMade = !isClean,
                Damaged = (block, problem) => throw DamagedBlock(block, problem),
            };
            _pile.Records.Restore(RecordCatalog.Decode(_folder.Catalog.Description), segments, rules);
        }
        catch (InvalidDataException unknown)
        {
            throw CheckedFile.Damaged(_files.Catalog, unknown.Message);
        }
        catch (PileFullException full)
        {
            throw new PileFolderException(
                _files.Folder,
                $"the tables need another {full.NeededBytes:N0} bytes for their indexes. Raise "
                + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)}.");
        }
    }

    private PileFolderException DamagedBlock(long block, string problem) =>
        CheckedFile.DamagedBlock(_files.Blocks, block, problem);
}
