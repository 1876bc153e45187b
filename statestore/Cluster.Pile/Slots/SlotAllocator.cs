using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>Allocates free slots and takes them back: first the thread's magazine, then the heap of the size class,
/// then the arena. Owned by one pile. Each level protects itself; a magazine is protected because its thread is inside
/// an operation.</summary>
internal sealed class SlotAllocator
{
    // Ended slabs are collected until they fill a segment, because a system call has to prove that no thread is
    // inside an operation.
    private const int FreedBlocksMax = BlockLayout.BlocksPerSegment;
    private const int BatchMax = 64;

    private readonly SlotSpace _space;
    private readonly SlabArena _arena;
    private readonly SegmentReserve _reserve;
    private readonly ThreadCacheRegistry _registry;
    private readonly SizeClassHeap[] _heaps;
    private readonly Lock _reclaimGate = new();
    private bool _closed;

    public SlotAllocator(
        SlotSpace space, SlotBitmap bitmap, SlabArena arena, SegmentReserve reserve, ThreadCacheRegistry registry)
    {
        _space = space;
        _reserve = reserve;
        _arena = arena;
        _registry = registry;
        _heaps = new SizeClassHeap[SizeClasses.Count];
        for (var i = 0; i < _heaps.Length; i++)
            _heaps[i] = new SizeClassHeap(i, space.Table, bitmap, arena);
    }

    public IReadOnlyList<SizeClassHeap> Heaps => _heaps;

    /// <summary>The last block that may hold objects.</summary>
    public long BlockLast => _arena.Frontier;

    /// <summary>Whether enough ended slabs wait that the caller should call <see cref="Reclaim"/> after its
    /// operation.</summary>
    public bool ShouldReclaim => _arena.FreedBlocks >= FreedBlocksMax;

    /// <summary>Takes a free slot for a payload without a second word from the thread's magazine; gives the pointer of
    /// the object to store. False when the magazine has no such slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryTake(ThreadCache cache, int payloadBytes, out PilePointer pointer)
    {
        pointer = default;
        if (payloadBytes > SlotHeader.LengthMax)
            return false;
        pointer = cache.MagazineOf(SizeClasses.IndexFor(payloadBytes + SlotHeader.Bytes)).Take();
        return !pointer.IsDefault;
    }

    /// <summary>Takes a free slot of at least this many bytes; gives the pointer of the object to store, or
    /// <c>default</c> when the pile has no such slot.</summary>
    public PilePointer Allocate(ThreadCache cache, long bytes)
    {
        if (bytes > SizeClasses.SlotBytesMax)
            return AllocateRun(cache, bytes);
        var index = SizeClasses.IndexFor(bytes);
        var slot = cache.MagazineOf(index).Take();
        return !slot.IsDefault ? slot : Refill(cache, index);
    }

    /// <summary>Takes a slot back. The caller has just made its header free or retired.</summary>
    public void Free(ThreadCache cache, in SlotPlace place, SlotHeader header)
    {
        if (place.Entry.State == SlabState.RunHead)
        {
            cache.Runs--;
            cache.RunBlocks -= place.Bytes / BlockLayout.BlockBytes;
            _arena.Free(SlabTable.BlockOf(place.Granule));
        }
        else if (header.State == SlotState.Retired)
        {
            _heaps[place.Entry.Class].NoteRetired();
        }
        else
        {
            Free(cache, place.Entry.Class, new PilePointer(header.Generation, place.Granule));
        }
    }

    /// <summary>Takes a slot of a slab back. The caller has just made its header free for the next object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(ThreadCache cache, int sizeClass, PilePointer next)
    {
        ref var magazine = ref cache.MagazineOf(sizeClass);
        if (!magazine.TryAdd(next))
            AddSlowly(ref magazine, sizeClass, next);
    }

    private void AddSlowly(ref Magazine magazine, int sizeClass, PilePointer next)
    {
        var capacity = SizeClasses.At(sizeClass).MagazineSlots;
        if (magazine.IsFull)
            Spill(ref magazine, sizeClass, Math.Max(1, capacity / 2));
        magazine.Add(next, capacity);
    }

    /// <summary>Takes a free slot from a slab that is of the same size class as the slab of the given slot, and fuller;
    /// gives its granule, or 0.</summary>
    public long TakeFuller(in SlotPlace place) => _heaps[place.Entry.Class].TakeFuller(place.Granule, place.Entry);

    /// <summary>Gives a slot back to its slab and not to a magazine, which would hand it out again soon.</summary>
    public void FreeToSlab(in SlotPlace place, SlotState state)
    {
        if (state == SlotState.Retired)
            _heaps[place.Entry.Class].NoteRetired();
        else
            _heaps[place.Entry.Class].Give([place.Granule]);
    }

    /// <summary>Whether an object of this many bytes could be stored even if all existing slots were taken.</summary>
    public bool HasRoom(long bytes) =>
        _arena.HasRoom(bytes > SizeClasses.SlotBytesMax
            ? BlockLayout.BlocksFor(bytes)
            : SizeClasses.At(SizeClasses.IndexFor(bytes)).BlocksYoung);

    /// <summary>Makes ended slabs vacant. Not to be called inside an operation.</summary>
    public void Reclaim()
    {
        lock (_reclaimGate)
        {
            if (!_closed)
                ReclaimNeedsLock();
        }

        _reserve.Check();
    }

    /// <summary>Gives up a running snapshot when its block copies take memory.</summary>
    public void GiveUpSnapshot() => _space.Table.Barrier.MakeRoom();

    /// <summary>Lets the background thread prepare more memory after log segments took blocks.</summary>
    public void PrepareAhead() => _reserve.Check();

    /// <summary>Drains the magazines of all threads and makes every empty slab vacant. Not to be called inside an
    /// operation.</summary>
    public void Relieve()
    {
        lock (_reclaimGate)
        {
            if (_closed)
                return;
            _registry.RunAlone(caches =>
            {
                foreach (var cache in caches)
                    Drain(cache);
            });
            foreach (var heap in _heaps)
                heap.EndEmptySlabs();
            ReclaimNeedsLock();
        }
    }

    /// <summary>Like <see cref="Relieve"/>, but holds up one thread at a time, and only while its magazines are
    /// drained.</summary>
    public void Tidy()
    {
        lock (_reclaimGate)
        {
            if (_closed)
                PileErrors.Disposed();
            _registry.RunWithEach(Drain);
            foreach (var heap in _heaps)
                heap.EndEmptySlabs();
            ReclaimNeedsLock();
        }
    }

    /// <summary>Runs an action while no operation runs and no ended slab waits. Not to be called inside an
    /// operation.</summary>
    public void RunBetweenOperations(Action action)
    {
        lock (_reclaimGate)
        {
            if (_closed)
                PileErrors.Disposed();
            ReclaimNeedsLock();
            _registry.RunAlone(_ =>
            {
                _arena.Vacate(_arena.TakeFreed());
                action();
            });
        }
    }

    /// <summary>Frees all objects. False: views are open, and nothing was done. Not to be called inside an
    /// operation.</summary>
    public bool TryPurge(Action forgetRecords)
    {
        var isPurged = false;
        lock (_reclaimGate)
        {
            if (_closed)
                PileErrors.Disposed();
            _registry.RunAlone(caches =>
            {
                if (caches.Any(cache => cache.Views.Count > 0))
                    return;
                foreach (var cache in caches)
                    cache.Clear();
                foreach (var heap in _heaps)
                    heap.Clear();
                _arena.VacateAll();
                forgetRecords();
                isPurged = true;
            });
        }

        _reserve.Check();
        return isPurged;
    }

    /// <summary>Waits for the running operations and refuses all later ones; afterwards no thread writes to the memory.
    /// Gives the views that are still open, or null when the pile was already closed. <paramref name="atRest"/> runs on
    /// the threads' caches before they are dropped; slabs that it ends become vacant.</summary>
    public List<OpenView>? TryClose(Action<IReadOnlyList<ThreadCache>>? atRest = null)
    {
        List<OpenView> leftOpen;
        lock (_reclaimGate)
        {
            if (_closed)
                return null;
            _closed = true;
            leftOpen = _registry.Close(atRest);
            if (atRest is not null)
                ReclaimNeedsLock();
        }

        _reserve.Dispose();
        return leftOpen;
    }

    /// <summary>Gives all free slots of a thread's magazines back to their slabs. Called by that thread inside an
    /// operation, or while no other thread works.</summary>
    public void Drain(ThreadCache cache)
    {
        for (var index = 0; index < _heaps.Length; index++)
        {
            ref var magazine = ref cache.MagazineOf(index);
            while (magazine.Count > 0)
                Spill(ref magazine, index, BatchMax);
        }
    }

    private void ReclaimNeedsLock()
    {
        var heads = _arena.TakeFreed();
        if (heads.Length == 0)
            return;
        _registry.WaitForOperations();
        _arena.Vacate(heads);
    }

    private PilePointer AllocateRun(ThreadCache cache, long bytes)
    {
        var blocks = BlockLayout.BlocksFor(bytes);
        var head = _arena.TryCreateRun(blocks);
        if (head == 0)
            return default;
        cache.Runs++;
        cache.RunBlocks += blocks;
        _reserve.Check();
        return _space.NextPointer(head << BlockLayout.GranulesPerBlockShift, bytes);
    }

    private PilePointer Refill(ThreadCache cache, int index)
    {
        var capacity = SizeClasses.At(index).MagazineSlots;
        Span<long> granules = stackalloc long[BatchMax];
        var count = _heaps[index].Take(granules[..Math.Max(1, capacity / 2)]);
        if (count == 0)
            return default;
        _reserve.Check();
        ref var magazine = ref cache.MagazineOf(index);
        var bytes = SizeClasses.At(index).SlotBytes;
        for (var i = 1; i < count; i++)
            magazine.Add(_space.NextPointer(granules[i], bytes), capacity);
        return _space.NextPointer(granules[0], bytes);
    }

    private void Spill(ref Magazine magazine, int index, int wanted)
    {
        Span<long> granules = stackalloc long[BatchMax];
        var count = magazine.TakeMany(granules[..wanted]);
        _heaps[index].Give(granules[..count]);
    }
}
