using Cluster.Pile.Barriers;
using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Slots;

/// <summary>Slots by pointer: finds them, loads and stores their headers and payloads. Accepts any 64-bit value as a
/// pointer without harm. Holds no state; the header protocol protects slots and payloads.</summary>
/// <remarks>With floors, the counter of a slot is never below the high water of its block.</remarks>
internal sealed class SlotSpace(
    NativeWindow window, BlockLayout layout, SlabTable table, GenerationMask mask, bool hasFloors)
{
    private const int GranulesPerBlockMask = BlockLayout.GranulesPerBlock - 1;

    // The processor's own prefetcher loads the rest of a longer object.
    private const int PrefetchBytesMax = 512;
    private const int CacheLineBytes = 64;
    private const int FetchDistance = 48;

    // Fetched in bursts: a fetch occupies the processor until its address is translated, and only fetches in close
    // succession are translated in parallel. One by one took a quarter longer.
    private const int FetchBurst = 16;

    private readonly NativeWindow _window = window;
    private readonly SlabTable _table = table;
    private readonly GenerationMask _mask = mask;
    private readonly long _origin = layout.OriginOffset;
    private readonly long _blockCount = layout.BlockCount;
    private readonly bool _hasFloors = hasFloors;
    private readonly WriteBarrier _barrier = table.Barrier;

    public SlabTable Table => _table;

    public SlotDamage Damage { get; init; } = new(blocksFile: null);

    /// <summary>Whether the high water of a block in use is the lower bound of the counters of its slots.</summary>
    public bool HasFloors => _hasFloors;

    /// <summary>Finds the slot whose header a pointer would name. False: no slot starts at that granule.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryResolve(PilePointer pointer, out SlotPlace place)
    {
        var granule = pointer.Granule;
        var block = SlabTable.BlockOf(granule);
        if (block <= _blockCount)
        {
            var entry = _table.Entry(block);
            if (entry.State == SlabState.Slots)
            {
                ref readonly var sizeClass = ref SizeClasses.At(entry.Class);
                place = new SlotPlace(granule, entry, OffsetOf(granule), sizeClass.SlotBytes);
                return sizeClass.SlotAt(GranuleInSlab(granule, entry), entry.Blocks) >= 0;
            }

            if (entry.State == SlabState.RunHead)
            {
                place = new SlotPlace(granule, entry, OffsetOf(granule), _table.Count(block) * BlockLayout.BlockBytes);
                return (granule & GranulesPerBlockMask) == 0 && place.Bytes <= _window.Length - place.Offset;
            }
        }

        place = default;
        return false;
    }

    /// <summary>Finds the slot that starts at a granule, and its header; both are of the same life of the slab. False:
    /// no slot starts here, or its slab begins or ends during the call.</summary>
    public bool TryLookAt(long granule, out SlotPlace place, out SlotHeader header)
    {
        header = default;
        if (!TryResolve(new PilePointer(0, granule), out place))
            return false;
        header = Header(place);
        Volatile.ReadBarrier();
        return _table.Entry(SlabTable.BlockOf(granule)).IsSameLife(place.Entry);
    }

    /// <summary>The whole optimistic read for nearly all objects: the payload lies in its slot and fits the
    /// destination. Returns the header then. Otherwise, and when the object changed meanwhile, returns a header that is
    /// not plain; such a header tells nothing about the object.</summary>
    /// <remarks>One method with only locals takes 15 % less time than one that works with places and
    /// payloads.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SlotHeader CopyPlain(PilePointer pointer, Span<byte> destination, int lengthMax)
    {
        var granule = pointer.Granule;
        var block = SlabTable.BlockOf(granule);
        if (block > _blockCount)
            return default;
        var entry = _table.Entry(block);
        if (entry.State != SlabState.Slots)
            return default;
        ref readonly var sizeClass = ref SizeClasses.At(entry.Class);
        if (sizeClass.SlotAt(GranuleInSlab(granule, entry), entry.Blocks) < 0)
            return default;
        var offset = OffsetOf(granule);
        var header = new SlotHeader(_window.ReadWord(offset));
        var length = header.Length;
        if (!header.Matches(pointer) || !header.IsPlain || length > lengthMax || length > destination.Length
            || length > sizeClass.SlotBytes - SlotHeader.Bytes)
        {
            return default;
        }

        _window.CopyOut(offset + SlotHeader.Bytes, destination[..length]);
        Volatile.ReadBarrier();
        return _window.ReadWord(offset) == header.Word && _table.Entry(block) == entry ? header : default;
    }

    /// <summary>Calls <see cref="CopyPlain(PilePointer, Span{byte}, int)"/>'s steps for each pointer of the row in
    /// turn, until the first object that cannot be read this way.</summary>
    /// <remarks>One loop with only locals: the fewer instructions an object takes, the more objects the processor
    /// handles while it waits for memory. With a call for each object the loop took two and a half times as long; with
    /// the fetch progress in a structure of its own, one and a half times.</remarks>
    public void CopyPlain(ref BatchRow row, int lengthMax)
    {
        var pointers = row.Pointers;
        var destination = row.Destination;
        var lengths = row.Lengths[..pointers.Length];
        var index = row.Count;
        var fetched = row.Fetched;
        for (; index < lengths.Length; index++)
        {
            fetched = FetchAhead(pointers, index, fetched);
            var header = CopyPlain(pointers[index], destination, lengthMax);
            if (!header.IsPlain)
                break;
            lengths[index] = header.Length;
            destination = destination[header.Length..];
        }

        row.Count = index;
        row.Fetched = fetched;
        row.Destination = destination;
    }

    /// <summary>The caller calls this before each read of a row of pointers, with the result of the call before.
    /// Fetches the memory of later reads into the processor's cache, so that many cache misses are served in
    /// parallel.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int FetchAhead(ReadOnlySpan<PilePointer> pointers, int index, int fetched)
    {
        if (fetched - index > FetchDistance - FetchBurst || fetched == pointers.Length)
            return fetched;
        var next = Math.Min(index + FetchDistance, pointers.Length);
        Prefetch(pointers[fetched..next]);
        return next;
    }

    // Fetches every cache line of the slots that the pointers would name. Only a hint: any pointer does no harm.
    private void Prefetch(ReadOnlySpan<PilePointer> pointers)
    {
        foreach (var pointer in pointers)
        {
            var block = SlabTable.BlockOf(pointer.Granule);
            if (block > _blockCount)
                continue;
            var entry = _table.Entry(block);
            if (entry.State != SlabState.Slots)
                continue;
            var offset = OffsetOf(pointer.Granule);
            var last = Math.Min(SizeClasses.At(entry.Class).SlotBytes, PrefetchBytesMax) - PilePointer.GranuleBytes;
            _window.Prefetch(offset);
            for (var between = CacheLineBytes; between < last; between += CacheLineBytes)
                _window.Prefetch(offset + between);
            _window.Prefetch(offset + last);
        }
    }

    /// <summary>The granule of the first slot that begins in a block. When none begins there: a granule at which no
    /// slot is found, or one of a later block.</summary>
    public long FirstSlotIn(long block)
    {
        var entry = _table.Entry(block);
        var granule = block << BlockLayout.GranulesPerBlockShift;
        if (entry.State != SlabState.Slots)
            return granule;
        var before = entry.Position * BlockLayout.GranulesPerBlock;
        var slotGranules = SizeClasses.At(entry.Class).SlotGranules;
        return granule - before + ((before + slotGranules - 1) / slotGranules * slotGranules);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SlotHeader Header(in SlotPlace place) => new(_window.ReadWord(place.Offset));

    /// <summary>Whether slab and slot are still as they were when the read began. The caller has passed a read
    /// barrier.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsUnchanged(in SlotPlace place, SlotHeader header) =>
        _window.ReadWord(place.Offset) == header.Word
            && _table.Entry(SlabTable.BlockOf(place.Granule)) == place.Entry;

    /// <summary>Like <see cref="IsUnchanged"/>, but the number of views may have changed.</summary>
    public bool IsSameVersion(in SlotPlace place, SlotHeader header) =>
        Header(place).IsSameVersion(header) && _table.Entry(SlabTable.BlockOf(place.Granule)) == place.Entry;

    /// <summary>Gives the payload that the header describes. False: the payload does not fit the slot, so the header is
    /// not of this slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryDescribe(in SlotPlace place, SlotHeader header, out Payload payload)
    {
        if (header.Kind == PayloadKind.Extended)
            return TryDescribeExtended(place, out payload);
        payload = new Payload(place.Offset + SlotHeader.Bytes, header.Length, header.Kind);
        return header.Length <= place.Bytes - SlotHeader.Bytes;
    }

    /// <summary>Finds the slot with the payload of an object: its own slot or, through a link, the slot of the body.
    /// False: the link is not valid (any more), which never happens under the owner's lock.</summary>
    public bool TryFindBody(in SlotPlace owner, SlotHeader ownerHeader, out SlotPlace body, out SlotHeader header)
    {
        body = owner;
        header = ownerHeader;
        if (ownerHeader.Kind != PayloadKind.Link)
            return true;
        var link = Link(owner);
        if (!TryResolve(link, out body))
            return false;
        header = Header(body);
        return header.Matches(link) && header.State == SlotState.Marked;
    }

    /// <summary>The deadline of the payload in a slot, zero for none; valid while the header is unchanged.</summary>
    public uint Deadline(in SlotPlace place, SlotHeader header) =>
        header.Kind == PayloadKind.Extended ? SecondWord(place).Deadline : 0;

    public void CopyOut(in Payload payload, Span<byte> destination) => _window.CopyOut(payload.Offset, destination);

    /// <summary>The pointer in the payload of a link.</summary>
    public PilePointer Link(in SlotPlace place) =>
        PilePointer.FromUInt64(_window.ReadWord(place.Offset + SlotHeader.Bytes));

    public void SetLink(in SlotPlace place, PilePointer body)
    {
        BeforeChange(place.Offset, SlotHeader.Bytes + sizeof(ulong));
        _window.WriteWord(place.Offset + SlotHeader.Bytes, body.Value);
    }

    /// <summary>Takes the header's lock. False: the header is no longer as the caller saw it.</summary>
    public bool TryLock(in SlotPlace place, SlotHeader header) =>
        _window.TryExchangeWord(place.Offset, header.Word, header.With(SlotState.Busy).Word);

    /// <summary>Sets the state of a header for a view. False: the header is no longer as the caller saw it.</summary>
    public bool TrySetState(in SlotPlace place, SlotHeader seen, SlotState state) =>
        _window.TryExchangeWord(place.Offset, seen.Word, seen.With(state).Word);

    /// <summary>Sets the state of a header that no other thread can change now, because the caller holds the lock or
    /// the view.</summary>
    public void SetState(in SlotPlace place, SlotHeader header, SlotState state) =>
        _window.WriteWord(place.Offset, header.With(state).Word);

    /// <summary>Stores a header after all earlier writes.</summary>
    public void SetHeader(in SlotPlace place, SlotHeader header)
    {
        BeforeChange(place.Offset, SlotHeader.Bytes);
        _window.WriteWord(place.Offset, header.Word);
    }

    /// <summary>Writes a payload, with a second word when it needs one. Returns its header, with generation and version
    /// of the given header; the caller stores it when readers may see the payload.</summary>
    public SlotHeader Fill(in SlotPlace place, SlotHeader like, in PayloadForm form, ReadOnlySpan<byte> source)
    {
        Invariant.Holds(form.BytesFor(source.Length) <= place.Bytes, "The object fits its slot.");
        BeforeChange(place.Offset, SlotHeader.Bytes + ExtendedWord.Bytes + source.Length);
        var header = HeaderOf(like, form, source.Length);
        if (header.Kind != PayloadKind.Extended)
        {
            _window.CopyIn(place.Offset + SlotHeader.Bytes, source);
            return header;
        }

        var second = new ExtendedWord(source.Length, form.Kind, form.Deadline);
        _window.WriteWord(place.Offset + SlotHeader.Bytes, second.Word);
        _window.CopyIn(place.Offset + SlotHeader.Bytes + ExtendedWord.Bytes, source);
        return header;
    }

    /// <summary>The header that <see cref="Fill"/> gives.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static SlotHeader HeaderOf(SlotHeader like, in PayloadForm form, int length) =>
        form.IsExtended(length)
            ? new SlotHeader(like.Generation, like.Version, 0, PayloadKind.Extended, SlotState.Live)
            : new SlotHeader(like.Generation, like.Version, length, form.Kind, SlotState.Live);

    /// <summary>Copies the payload of a marked body to a free slot of the same size, and gives the header for the copy.
    /// False: the slot holds no body.</summary>
    public bool TryCopy(in SlotPlace body, SlotHeader bodyHeader, in SlotPlace target, out SlotHeader targetHeader)
    {
        var like = Header(target);
        targetHeader = new SlotHeader(like.Generation, 0, bodyHeader.Length, bodyHeader.Kind, SlotState.Marked);
        if (bodyHeader.State != SlotState.Marked || !TryDescribe(body, bodyHeader, out var payload))
            return false;
        Invariant.Holds(body.Bytes == target.Bytes, "Bodies move within their size class.");
        return TryCopyContent(body, payload, target);
    }

    /// <summary>Copies everything between the header and the end of a payload to another slot. False: the other slot is
    /// too small.</summary>
    public bool TryCopyContent(in SlotPlace place, in Payload payload, in SlotPlace target)
    {
        var from = place.Offset + SlotHeader.Bytes;
        var bytes = (int)(payload.Offset - from) + payload.Length;
        if (bytes > target.Bytes - SlotHeader.Bytes)
            return false;
        BeforeChange(target.Offset, SlotHeader.Bytes + bytes);
        _window.CopyWithin(from, target.Offset + SlotHeader.Bytes, bytes);
        return true;
    }

    /// <summary>The live header with the next version. When the version wraps to zero, the slab entry counts the wrap
    /// first.</summary>
    public SlotHeader NextVersion(in SlotPlace place, SlotHeader header)
    {
        if (header.VersionWrapsNext)
            _table.NoteWrap(place.Granule);
        return new SlotHeader(header.Generation, header.Version + 1, header.Length, header.Kind, SlotState.Live);
    }

    /// <summary>The header that frees the slot: free with the next generation, or retired after the last one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SlotHeader NextLife(in SlotPlace place, SlotHeader header)
    {
        var counter = _mask.ToCounter(header.Generation, place.Granule);
        var next = counter + 1;
        if (_hasFloors)
            next = Math.Max(next, _table.HighWater(SlabTable.BlockOf(place.Granule)));
        if (next % ReuseWatch.Stride == 0)
            _barrier.NoteReuse(place.Granule, next);
        return next > GenerationMask.CounterMax
            ? new SlotHeader(header.Generation, 0, 0, PayloadKind.Bytes, SlotState.Retired)
            : new SlotHeader(_mask.ToGeneration(next, place.Granule), 0, 0, PayloadKind.Bytes, SlotState.Free);
    }

    /// <summary>The place of a slot that was taken from its slab and is not used yet.</summary>
    public SlotPlace PlaceOf(long granule)
    {
        if (!TryResolve(new PilePointer(0, granule), out var place) || Header(place).State != SlotState.Free)
            throw Damage.Of(granule, $"the slot at granule {granule:x} was to be free, and is not.");
        return place;
    }

    /// <summary>The pointer of the next object in a slot of this many bytes that was taken from its slab.</summary>
    public PilePointer NextPointer(long granule, long bytes)
    {
        var place = PlaceOf(granule);
        Invariant.Holds(bytes <= place.Bytes, "A slot is of its size.");
        return new PilePointer(Header(place).Generation, granule);
    }

    /// <summary>Writes a new object without a second word into a slot that was allocated for it. Loads neither the slot
    /// nor its slab entry, which may be in no cache any more: 35 % more pairs of random deletes and puts. The magazine
    /// has checked that the slot is free and of this size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FillNew(PilePointer slot, PayloadKind kind, ReadOnlySpan<byte> source)
    {
        var offset = OffsetOf(slot.Granule);
        BeforeChange(offset, SlotHeader.Bytes + source.Length);
        _window.CopyIn(offset + SlotHeader.Bytes, source);
        _window.WriteWord(offset, new SlotHeader(slot.Generation, 0, source.Length, kind, SlotState.Live).Word);
    }

    /// <summary>Frees a live object without body and second word whose slot can be used again; gives the header that it
    /// had, its size class, and the pointer of the next object in the slot. False: the object is of any other form. One
    /// method with only locals: a quarter more pairs of random deletes and puts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEndPlain(PilePointer pointer, out SlotHeader header, out int sizeClass, out PilePointer next)
    {
        var granule = pointer.Granule;
        var block = SlabTable.BlockOf(granule);
        (header, sizeClass, next) = (default, 0, default);
        if (block > _blockCount)
            return false;
        var entry = _table.Entry(block);
        sizeClass = entry.Class;
        if (entry.State != SlabState.Slots
            || SizeClasses.At(sizeClass).SlotAt(GranuleInSlab(granule, entry), entry.Blocks) < 0)
        {
            return false;
        }

        var offset = OffsetOf(granule);
        header = new SlotHeader(_window.ReadWord(offset));
        var counter = _mask.ToCounter(header.Generation, granule);
        var following = counter + 1;
        if (_hasFloors)
            following = Math.Max(following, _table.HighWater(block));
        if (!header.Matches(pointer) || !header.IsPlainAndLive || following > GenerationMask.CounterMax
            || following % ReuseWatch.Stride == 0)
        {
            return false;
        }

        _barrier.BeforeChange(block);
        next = new PilePointer(_mask.ToGeneration(following, granule), granule);
        return _window.TryExchangeWord(offset, header.Word, SlotHeader.FreeFor(next).Word);
    }

    // A slot may begin in one block and end in another.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeforeChange(long offset, int bytes)
    {
        if (_barrier.IsWatched)
            _barrier.BeforeChange(BlockAt(offset), BlockAt(offset + bytes - 1));
    }

    private long BlockAt(long offset) => (offset - _origin) >> BlockLayout.BlockBytesShift;

    private ExtendedWord SecondWord(in SlotPlace place) => new(_window.ReadWord(place.Offset + SlotHeader.Bytes));

    private static int GranuleInSlab(long granule, SlabEntry entry) =>
        (int)(granule & GranulesPerBlockMask) + (entry.Position * BlockLayout.GranulesPerBlock);

    private long OffsetOf(long granule) => _origin + (granule * PilePointer.GranuleBytes);

    private bool TryDescribeExtended(in SlotPlace place, out Payload payload)
    {
        const int before = SlotHeader.Bytes + ExtendedWord.Bytes;
        var word = SecondWord(place);
        payload = new Payload(place.Offset + before, (int)word.Length, word.Kind);
        return word.Length <= (ulong)Math.Min(place.Bytes - before, int.MaxValue);
    }
}

/// <summary>The payload of a slot as its header describes it. It lies within the slot, and is valid while the header is
/// unchanged. Immutable.</summary>
/// <param name="Offset">Where the payload starts in the window.</param>
/// <param name="Length">The number of bytes.</param>
/// <param name="Kind">The real kind; never <see cref="PayloadKind.Extended"/>.</param>
internal readonly record struct Payload(long Offset, int Length, PayloadKind Kind);

/// <summary>Where the slot of a granule lies. <see cref="SlotSpace"/> finds it; it is valid while the slab entry is
/// unchanged. An immutable value.</summary>
/// <param name="Granule">The granule of the slot.</param>
/// <param name="Entry">The slab entry at the time of the search.</param>
/// <param name="Offset">Where the header lies in the window.</param>
/// <param name="Bytes">The size of the slot with its header.</param>
internal readonly record struct SlotPlace(long Granule, SlabEntry Entry, long Offset, long Bytes);
