using Cluster.Pile.Layout;

namespace Cluster.Pile.Slabs;

/// <summary>All slabs of one size class: gives free slots to threads in batches and takes them back. Owned by one pile;
/// guarded by its lock, under which it may take the arena's lock.</summary>
internal sealed class SizeClassHeap(int classIndex, SlabTable table, SlotBitmap bitmap, SlabArena arena)
{
    // A single empty slab of small slots is kept, so that a thread that frees and takes the same slots does not create
    // it again each time.
    private const int SlotBytesKept = 32 * 1024;

    private readonly Lock _gate = new();
    private readonly int _classIndex = classIndex;
    private readonly SlabTable _table = table;
    private readonly SlotBitmap _bitmap = bitmap;
    private readonly SlabArena _arena = arena;
    private readonly SlabLists _lists = new SlabLists(table);
    private readonly int[] _taken = new int[128];
    private long _slots;
    private long _freeSlots;
    private long _retiredSlots;
    private long _ownedBlocks;

    private ref readonly SizeClass Class => ref SizeClasses.At(_classIndex);

    /// <summary>Takes free slots from the fullest slabs, or from a new slab when there are none, up to the length of
    /// the span.</summary>
    public int Take(Span<long> granules)
    {
        lock (_gate)
        {
            var count = 0;
            while (count < granules.Length)
            {
                var head = _lists.Fullest();
                if (head == 0 && (count > 0 || (head = AddSlabNeedsLock()) == 0))
                    break;
                count += TakeFromNeedsLock(head, granules[count..]);
            }

            return count;
        }
    }

    /// <summary>Takes a free slot of a slab that is fuller than the slab of the given slot. 0: there is none, or the
    /// slab has changed since its entry was read.</summary>
    public long TakeFuller(long granule, SlabEntry entry)
    {
        lock (_gate)
        {
            if (!_table.Entry(SlabTable.BlockOf(granule)).IsSameLife(entry))
                return 0;
            var own = SlabOfNeedsLock(granule, out _);
            var fuller = _lists.FullestBut(own);
            if (fuller == 0 || !IsFuller(fuller, own))
                return 0;
            Span<long> taken = stackalloc long[1];
            TakeFromNeedsLock(fuller, taken);
            return taken[0];
        }
    }

    /// <summary>Takes free slots back; their headers are free already.</summary>
    public void Give(ReadOnlySpan<long> granules)
    {
        lock (_gate)
        {
            foreach (var granule in granules)
                GiveNeedsLock(granule);
        }
    }

    /// <summary>Counts a slot that is never used again.</summary>
    public void NoteRetired()
    {
        lock (_gate)
            _retiredSlots++;
    }

    /// <summary>Ends all entirely free slabs, also the one that is otherwise kept.</summary>
    public void EndEmptySlabs()
    {
        lock (_gate)
        {
            foreach (var head in _lists.Empty(head => _table.Count(head) == SlotsOf(head)))
                EndNeedsLock(head);
        }
    }

    /// <summary>Adds a slab of a pile that is being rebuilt; its bitmap and its number of free slots are
    /// right.</summary>
    public void Adopt(long head, long retiredSlots)
    {
        lock (_gate)
        {
            var slots = SlotsOf(head);
            var free = _table.Count(head);
            Invariant.Holds(free + retiredSlots <= slots, "A slab has at most all of its slots free.");
            _table.SetList(head, 0);
            _lists.Place(head, free, slots);
            _slots += slots;
            _freeSlots += free;
            _retiredSlots += retiredSlots;
            _ownedBlocks += _table.Entry(head).Blocks;
        }
    }

    /// <summary>Forgets all slabs; the arena has ended them.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _lists.Clear();
            _slots = _freeSlots = _retiredSlots = _ownedBlocks = 0;
        }
    }

    public SizeClassCounts Count()
    {
        lock (_gate)
            return new SizeClassCounts(Class.SlotBytes, _slots, _freeSlots, _retiredSlots, _ownedBlocks);
    }

    private long AddSlabNeedsLock()
    {
        var head = _arena.TryCreateSlab(Class, Class.IsYoung(_ownedBlocks * BlockLayout.BlockBytes));
        if (head == 0)
            return 0;
        var slots = SlotsOf(head);
        _bitmap.SetAll(head, slots);
        _table.SetCount(head, slots);
        _table.SetList(head, 0);
        _lists.Place(head, slots, slots);
        _slots += slots;
        _freeSlots += slots;
        _ownedBlocks += _table.Entry(head).Blocks;
        return head;
    }

    private int TakeFromNeedsLock(long head, Span<long> granules)
    {
        var slots = SlotsOf(head);
        var wanted = Math.Min(granules.Length, _taken.Length);
        var count = _bitmap.Take(head, slots, _taken.AsSpan(0, wanted));
        Invariant.Holds(count > 0, "A slab in a list has free slots.");
        for (var i = 0; i < count; i++)
            granules[i] = (head << BlockLayout.GranulesPerBlockShift) + ((long)_taken[i] * Class.SlotGranules);
        SetFreeNeedsLock(head, _table.Count(head) - count, slots);
        _freeSlots -= count;
        return count;
    }

    private void GiveNeedsLock(long granule)
    {
        var head = SlabOfNeedsLock(granule, out var slot);
        _bitmap.Set(head, slot);
        _freeSlots++;
        var slots = SlotsOf(head);
        var free = _table.Count(head) + 1;
        SetFreeNeedsLock(head, free, slots);
        if (free == slots && (_freeSlots > slots || Class.SlotBytes > SlotBytesKept))
            EndNeedsLock(head);
    }

    private long SlabOfNeedsLock(long granule, out int slot)
    {
        var block = SlabTable.BlockOf(granule);
        var entry = _table.Entry(block);
        var head = block - entry.Position;
        slot = Class.SlotAt((int)(granule - (head << BlockLayout.GranulesPerBlockShift)), entry.Blocks);
        var isOurs = entry.State == SlabState.Slots && entry.Class == _classIndex;
        Invariant.Holds(isOurs && slot >= 0, "A slot lies in a slab of its size class.");
        return head;
    }

    private void SetFreeNeedsLock(long head, long free, int slots)
    {
        _table.SetCount(head, free);
        _lists.Place(head, free, slots);
    }

    private void EndNeedsLock(long head)
    {
        var slots = SlotsOf(head);
        _lists.Remove(head);
        _slots -= slots;
        _freeSlots -= slots;
        _ownedBlocks -= _table.Entry(head).Blocks;
        _arena.Free(head);
    }

    // Compares the share of free slots; of two equal slabs the one at the lower address is fuller, so that no body
    // moves to and fro.
    private bool IsFuller(long head, long other)
    {
        var (free, otherFree) = (_table.Count(head) * SlotsOf(other), _table.Count(other) * SlotsOf(head));
        return free < otherFree || (free == otherFree && head < other);
    }

    private int SlotsOf(long head) => Class.SlotsIn(_table.Entry(head).Blocks);
}

/// <summary>The slot counts of one size class. An immutable value, taken under the lock of the class.</summary>
internal readonly record struct SizeClassCounts(
    int SlotBytes, long Slots, long FreeSlots, long RetiredSlots, long OwnedBlocks);
