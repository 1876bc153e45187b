using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped.Intents;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Stores, replaces and deletes objects. A change locks one header only; a thread holds no header while it
/// waits for memory or for another thread. Has no mutable state.</summary>
/// <remarks>
/// The update in place, when the object outgrows its slot and its body:
/// <list type="number">
/// <item>allocate a slot for the new body and write it, marked; when that fails, nothing has changed</item>
/// <item>lock the owner's header, if it is still as it was seen</item>
/// <item>publish the link with one store, then the owner's header with the next version</item>
/// <item>free the old body</item>
/// </list>
/// So there is at most one hop, and at any point readers get the whole old or the whole new object.
/// Where memory outlives the process, every update first writes the whole new value aside, also one that fits: a
/// process that dies within an update leaves the old value, or the new one aside and a note that says where.
/// </remarks>
/// <remarks>With intents for a pile whose memory outlives the process.</remarks>
internal sealed class ObjectWriter(
    SlotSpace space, SlotAllocator allocator, DeadlineBook deadlines, UpdateIntents? intents = null)
{
    // A body of more than this many times the object's size is replaced when the object shrinks, unless there is no
    // smaller slot.
    private const int RoomyFactor = 4;
    private const long RoomyBytesMin = 4096;

    private readonly SlotSpace _space = space;
    private readonly SlotAllocator _allocator = allocator;
    private readonly DeadlineBook _deadlines = deadlines;
    private readonly UpdateIntents? _intents = intents;

    /// <summary>Stores a new object without hints when the thread has a free slot at hand. Nearly all puts are such.
    /// The method has few instructions, so that the processor works on more operations while it waits for
    /// memory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPutPlain(ThreadCache cache, PayloadKind kind, ReadOnlySpan<byte> source, out PilePointer pointer)
    {
        if (!SlotAllocator.TryTake(cache, source.Length, out pointer))
            return false;
        _space.FillNew(pointer, kind, source);
        cache.Objects++;
        cache.Puts++;
        cache.LiveBytes += source.Length;
        return true;
    }

    /// <summary>Stores a new object. False: there is no slot for it.</summary>
    public bool TryPut(ThreadCache cache, in PayloadForm form, ReadOnlySpan<byte> source, out PilePointer pointer)
    {
        pointer = _allocator.Allocate(cache, form.BytesFor(source.Length));
        if (pointer.IsDefault)
            return false;
        if (form.IsExtended(source.Length))
            PutExtended(pointer.Granule, form, source);
        else
            _space.FillNew(pointer, form.Kind, source);
        cache.Objects++;
        cache.Puts++;
        cache.LiveBytes += source.Length;
        return true;
    }

    /// <summary>Replaces an object in place, through a link when it no longer fits.</summary>
    public WriteStep Update(
        ThreadCache cache, PilePointer pointer, in PayloadForm form, ReadOnlySpan<byte> source)
    {
        var update = new Replacement(form, source);
        try
        {
            while (true)
            {
                if (!TryLockLive(pointer, out var owner, out var header))
                    return FailedStep(header);
                if (ReplaceLocked(cache, owner, header, ref update) is { } done)
                    return done;
                DropSpare(cache, ref update);
                update.Spare = NewBody(cache, update.Form, source);
                update.SpareDeadline = update.Form.Deadline;
                if (!update.Spare.IsDefault)
                    continue;
                if (update.TakesRoomy)
                    return WriteStep.Full;
                update.TakesRoomy = true;
            }
        }
        finally
        {
            DropSpare(cache, ref update);
        }
    }

    /// <summary>Deletes an object and its body.</summary>
    public WriteStep Delete(ThreadCache cache, PilePointer pointer)
    {
        if (!_space.TryEndPlain(pointer, out var header, out var sizeClass, out var next))
            return DeleteSlowly(cache, pointer);
        cache.Objects--;
        cache.LiveBytes -= header.Length;
        _allocator.Free(cache, sizeClass, next);
        return WriteStep.Done;
    }

    private WriteStep DeleteSlowly(ThreadCache cache, PilePointer pointer)
    {
        if (!TryLockLive(pointer, out var place, out var header))
            return FailedStep(header);
        var stored = Describe(place, header);
        var isPast = _deadlines.Clock.IsPast(stored.Deadline);
        EndLocked(cache, place, header, stored);
        return isPast ? WriteStep.Invalid : WriteStep.Done;
    }

    /// <summary>Removes an expired object. False: it has changed since it was seen, or another thread uses
    /// it.</summary>
    public bool TryExpire(ThreadCache cache, in SlotPlace place, SlotHeader header)
    {
        if (header.State != SlotState.Live || !_space.TryLock(place, header))
            return false;
        if (!TryDescribe(place, header, out var stored) || !_deadlines.Clock.IsPast(stored.Deadline))
        {
            _space.SetHeader(place, header);
            return false;
        }

        EndLocked(cache, place, header, stored);
        return true;
    }

    // Called under the owner's lock. Null: a new body is needed first, and the lock is given back.
    private WriteStep? ReplaceLocked(
        ThreadCache cache, in SlotPlace owner, SlotHeader header, ref Replacement update)
    {
        var stored = Describe(owner, header);
        if (_deadlines.Clock.IsPast(stored.Deadline))
        {
            EndLocked(cache, owner, header, stored);
            return WriteStep.Invalid;
        }

        if (update.Form.KeepsDeadline)
            update.Form = update.Form with { Deadline = stored.Deadline };
        if (_intents is not null)
            return ReplaceAside(cache, owner, header, stored, ref update);
        var freed = default(PilePointer);
        if (update.Bytes <= owner.Bytes)
        {
            header = _space.Fill(owner, header, update.Form, update.Source);
            freed = stored.Link;
        }
        else if (!stored.Link.IsDefault && BodyFits(stored, update, out var body))
        {
            var filled = _space.Fill(body, _space.Header(body), update.Form, update.Source);
            _space.SetHeader(body, filled.With(SlotState.Marked));
        }
        else if (!update.HasSpare)
        {
            _space.SetHeader(owner, header);
            return null;
        }
        else
        {
            _space.SetLink(owner, update.Spare);
            header = new SlotHeader(header.Generation, header.Version, 0, PayloadKind.Link, SlotState.Live);
            (update.Spare, freed) = (default, stored.Link);
            cache.Links++;
        }

        Publish(owner, _space.NextVersion(owner, header), update.Form.Deadline);
        cache.LiveBytes += update.Source.Length - stored.Length;
        FreeLinked(cache, freed);
        return WriteStep.Done;
    }

    private void PutExtended(long granule, in PayloadForm form, ReadOnlySpan<byte> source)
    {
        var place = _space.PlaceOf(granule);
        Publish(place, _space.Fill(place, _space.Header(place), form, source), form.Deadline);
    }

    // The same step where memory outlives the process: a value is overwritten only after its new value is stored whole
    // in another place.
    private WriteStep? ReplaceAside(
        ThreadCache cache, in SlotPlace owner, SlotHeader header, in Stored stored, ref Replacement update)
    {
        if (!update.HasSpare)
        {
            _space.SetHeader(owner, header);
            return null;
        }

        var fits = update.Bytes <= owner.Bytes;
        var filled = fits
            ? SlotSpace.HeaderOf(header, update.Form, update.Source.Length)
            : new SlotHeader(header.Generation, header.Version, 0, PayloadKind.Link, SlotState.Live);
        var next = _space.NextVersion(owner, filled);
        var intent = _intents!.Begin(new UpdateIntent(owner.Granule, header.With(SlotState.Busy), next, update.Spare));
        if (fits)
            _space.Fill(owner, header, update.Form, update.Source);
        else
            _space.SetLink(owner, update.Spare);
        Publish(owner, next, update.Form.Deadline);
        _intents.End(intent);

        // A spare body that was copied from is freed with the update.
        if (!fits)
        {
            update.Spare = default;
            cache.Links++;
        }

        cache.LiveBytes += update.Source.Length - stored.Length;
        FreeLinked(cache, stored.Link);
        return WriteStep.Done;
    }

    // The deadline is noted after the header is visible, so that a sweep sees one or the other.
    private void Publish(in SlotPlace place, SlotHeader header, uint deadline)
    {
        _space.SetHeader(place, header);
        if (deadline != 0)
            _deadlines.Note(place.Granule, deadline);
    }

    private void EndLocked(ThreadCache cache, in SlotPlace place, SlotHeader header, in Stored stored)
    {
        var next = _space.NextLife(place, header);
        _space.SetHeader(place, next);
        cache.Objects--;
        cache.LiveBytes -= stored.Length;
        _allocator.Free(cache, place, next);
        FreeLinked(cache, stored.Link);
    }

    private void FreeLinked(ThreadCache cache, PilePointer body)
    {
        if (body.IsDefault)
            return;
        FreeBody(cache, body);
        cache.Links--;
    }

    private void DropSpare(ThreadCache cache, ref Replacement update)
    {
        if (!update.Spare.IsDefault)
            FreeBody(cache, update.Spare);
        update.Spare = default;
    }

    private PilePointer NewBody(ThreadCache cache, in PayloadForm form, ReadOnlySpan<byte> source)
    {
        var pointer = _allocator.Allocate(cache, form.BytesFor(source.Length));
        if (pointer.IsDefault)
            return default;
        var place = _space.PlaceOf(pointer.Granule);
        _space.SetHeader(place, _space.Fill(place, _space.Header(place), form, source).With(SlotState.Marked));
        return pointer;
    }

    private void FreeBody(ThreadCache cache, PilePointer body)
    {
        var place = BodyPlace(body);
        var next = _space.NextLife(place, _space.Header(place));
        _space.SetHeader(place, next);
        _allocator.Free(cache, place, next);
    }

    // A body that was too large before was meant so, or there was no smaller one.
    private bool BodyFits(in Stored stored, in Replacement update, out SlotPlace body)
    {
        body = BodyPlace(stored.Link);
        var takesRoomy = update.TakesRoomy || IsRoomy(body, update.Form.BytesFor(stored.Length));
        return update.Bytes <= body.Bytes && (takesRoomy || !IsRoomy(body, update.Bytes));
    }

    private static bool IsRoomy(in SlotPlace body, long bytes) =>
        body.Bytes > RoomyBytesMin && body.Bytes / RoomyFactor > bytes;

    private SlotPlace BodyPlace(PilePointer link)
    {
        var found = _space.TryResolve(link, out var body);
        Invariant.Holds(found, "A link leads to a slot.");
        var header = _space.Header(body);
        Invariant.Holds(header.Matches(link) && header.State == SlotState.Marked, "A link leads to its body.");
        return body;
    }

    // Called under the owner's lock, which is given back when header and slot do not fit together.
    private Stored Describe(in SlotPlace owner, SlotHeader header)
    {
        if (TryDescribe(owner, header, out var stored))
            return stored;
        _space.SetState(owner, header, SlotState.Live);
        throw _space.Damage.Of(owner.Granule, $"the object at granule {owner.Granule:x} does not fit together.");
    }

    private bool TryDescribe(in SlotPlace owner, SlotHeader header, out Stored stored)
    {
        stored = default;
        if (!_space.TryFindBody(owner, header, out var place, out var placeHeader)
            || !_space.TryDescribe(place, placeHeader, out var payload))
        {
            return false;
        }

        var link = header.Kind == PayloadKind.Link ? _space.Link(owner) : default;
        stored = new Stored(link, payload.Length, _space.Deadline(place, placeHeader));
        return true;
    }

    private bool TryLockLive(PilePointer pointer, out SlotPlace place, out SlotHeader header)
    {
        while (TryFindLive(pointer, out place, out header))
        {
            if (_space.TryLock(place, header))
                return true;
        }

        return false;
    }

    // Waits while another thread has the header locked. False: the header says whether a view or a lasting lock is the
    // reason.
    private bool TryFindLive(PilePointer pointer, out SlotPlace place, out SlotHeader header)
    {
        var spin = default(SpinWait);
        for (var looks = 0; _space.TryResolve(pointer, out place); looks++)
        {
            header = _space.Header(place);
            if (!header.Matches(pointer) || !header.IsObject)
                break;
            if (header.State == SlotState.Live)
                return true;
            if (header.IsPinned || looks >= SlotDamage.LooksMax)
                return false;
            spin.SpinOnce(sleep1Threshold: -1);
        }

        header = default;
        return false;
    }

    private static WriteStep FailedStep(SlotHeader header) =>
        header.IsPinned ? WriteStep.Pinned
            : header.State == SlotState.Busy ? WriteStep.Locked
            : WriteStep.Invalid;

    /// <summary>The content of an owner that this thread has locked: its body or none, payload bytes,
    /// deadline.</summary>
    private readonly record struct Stored(PilePointer Link, int Length, uint Deadline);

    /// <summary>One update in progress: the payload to store, a new body for it, and whether a far too large old body
    /// may be used. Owned by the method that creates it.</summary>
    private ref struct Replacement(PayloadForm form, ReadOnlySpan<byte> source)
    {
        public PayloadForm Form = form;
        public PilePointer Spare;
        public uint SpareDeadline;
        public bool TakesRoomy;

        public readonly ReadOnlySpan<byte> Source { get; } = source;

        public readonly long Bytes => Form.BytesFor(Source.Length);

        /// <summary>Whether there is a spare body with the payload and its deadline.</summary>
        public readonly bool HasSpare => !Spare.IsDefault && SpareDeadline == Form.Deadline;
    }
}
