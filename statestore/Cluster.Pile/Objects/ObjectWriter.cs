using Cluster.Pile.Slots;
using Cluster.Pile.Threads;

namespace Cluster.Pile.Objects;

/// <summary>
/// Stores, replaces and deletes objects. A change locks one header only; a thread holds no header while it
/// waits for memory or for another thread. Stateless beside what it writes.
/// </summary>
/// <remarks>
/// The update in place, when the object outgrows its slot and its body:
/// <list type="number">
/// <item>allocate a slot for the new body and write it, marked; when that fails, nothing has changed</item>
/// <item>lock the owner's header, if it is still as it was seen</item>
/// <item>publish the link with one store, then the owner's header with the next version</item>
/// <item>free the old body</item>
/// </list>
/// So there is at most one hop, and at any point readers get the whole old or the whole new object.
/// </remarks>
internal sealed class ObjectWriter
{
    // An object that shrinks leaves a body of more than this many times its size, unless there is no smaller one.
    private const int RoomyFactor = 4;
    private const long RoomyBytesMin = 4096;

    private readonly SlotSpace _space;
    private readonly SlotAllocator _allocator;

    public ObjectWriter(SlotSpace space, SlotAllocator allocator)
    {
        _space = space;
        _allocator = allocator;
    }

    /// <summary>Stores a new object; false when there is no slot for it.</summary>
    public bool TryPut(ThreadCache cache, PayloadKind kind, ReadOnlySpan<byte> source, out PilePointer pointer)
    {
        var granule = _allocator.Allocate(cache, SlotSpace.BytesFor(source.Length));
        if (granule == 0)
        {
            pointer = default;
            return false;
        }

        var place = _space.PlaceOf(granule);
        var header = _space.Fill(place, _space.Header(place), kind, source);
        _space.SetHeader(place, header);
        cache.Objects++;
        cache.LiveBytes += source.Length;
        pointer = new PilePointer(header.Generation, granule);
        return true;
    }

    /// <summary>Replaces an object in place, through a link when it no longer fits.</summary>
    public WriteStep Update(ThreadCache cache, PilePointer pointer, PayloadKind kind, ReadOnlySpan<byte> source)
    {
        var spare = default(PilePointer);
        var takesRoomy = false;
        try
        {
            while (true)
            {
                if (!TryLockLive(pointer, out var owner, out var header))
                    return WriteStep.Invalid;
                var step = ReplaceLocked(cache, new Locked(owner, header, kind, takesRoomy), source, ref spare);
                if (step is { } done)
                    return done;
                spare = NewBody(cache, kind, source);
                if (!spare.IsDefault)
                    continue;
                if (takesRoomy)
                    return WriteStep.Full;
                takesRoomy = true;
            }
        }
        finally
        {
            if (!spare.IsDefault)
                FreeBody(cache, spare);
        }
    }

    /// <summary>Deletes an object and its body; false when the pointer names none.</summary>
    public bool Delete(ThreadCache cache, PilePointer pointer)
    {
        while (TryFindLive(pointer, out var place, out var header))
        {
            if (header.Kind is PayloadKind.Link or PayloadKind.Extended)
            {
                if (!_space.TryLock(place, header))
                    continue;
                DeleteLocked(cache, place, header);
                return true;
            }

            var next = _space.NextLife(place, header);
            if (!_space.TryReplace(place, header, next))
                continue;
            cache.Objects--;
            cache.LiveBytes -= header.Length;
            _allocator.Free(cache, place, next.State);
            return true;
        }

        return false;
    }

    // Under the owner's lock. Nothing means that a new body is needed first; the lock is given back then.
    private WriteStep? ReplaceLocked(
        ThreadCache cache, in Locked locked, ReadOnlySpan<byte> source, ref PilePointer spare)
    {
        var (owner, header, kind, takesRoomy) = locked;
        var link = header.Kind == PayloadKind.Link ? _space.Link(owner) : default;
        var oldLength = LengthOf(owner, header, link);
        var freed = default(PilePointer);
        if (SlotSpace.BytesFor(source.Length) <= owner.Bytes)
        {
            header = _space.Fill(owner, header, kind, source);
            freed = link;
        }
        else if (!link.IsDefault && BodyFits(link, source.Length, takesRoomy, out var body))
        {
            _space.SetHeader(body, _space.Fill(body, _space.Header(body), kind, source).With(SlotState.Marked));
        }
        else if (spare.IsDefault)
        {
            _space.SetHeader(owner, header);
            return null;
        }
        else
        {
            _space.SetLink(owner, spare);
            header = new SlotHeader(header.Generation, header.Version, 0, PayloadKind.Link, SlotState.Live);
            (spare, freed) = (default, link);
            cache.Links++;
        }

        _space.SetHeader(owner, _space.NextVersion(owner, header));
        cache.LiveBytes += source.Length - oldLength;
        FreeLinked(cache, freed);
        return WriteStep.Done;
    }

    private void DeleteLocked(ThreadCache cache, in SlotPlace place, SlotHeader header)
    {
        var link = header.Kind == PayloadKind.Link ? _space.Link(place) : default;
        var length = LengthOf(place, header, link);
        var next = _space.NextLife(place, header);
        _space.SetHeader(place, next);
        cache.Objects--;
        cache.LiveBytes -= length;
        _allocator.Free(cache, place, next.State);
        FreeLinked(cache, link);
    }

    private void FreeLinked(ThreadCache cache, PilePointer body)
    {
        if (body.IsDefault)
            return;
        FreeBody(cache, body);
        cache.Links--;
    }

    private PilePointer NewBody(ThreadCache cache, PayloadKind kind, ReadOnlySpan<byte> source)
    {
        var granule = _allocator.Allocate(cache, SlotSpace.BytesFor(source.Length));
        if (granule == 0)
            return default;
        var place = _space.PlaceOf(granule);
        var header = _space.Fill(place, _space.Header(place), kind, source).With(SlotState.Marked);
        _space.SetHeader(place, header);
        return new PilePointer(header.Generation, granule);
    }

    private void FreeBody(ThreadCache cache, PilePointer body)
    {
        var place = BodyPlace(body);
        var next = _space.NextLife(place, _space.Header(place));
        _space.SetHeader(place, next);
        _allocator.Free(cache, place, next.State);
    }

    private bool BodyFits(PilePointer link, int length, bool takesRoomy, out SlotPlace body)
    {
        body = BodyPlace(link);
        var bytes = SlotSpace.BytesFor(length);
        var isRoomy = body.Bytes > RoomyBytesMin && body.Bytes / RoomyFactor > bytes;
        return bytes <= body.Bytes && (takesRoomy || !isRoomy);
    }

    private SlotPlace BodyPlace(PilePointer link)
    {
        var found = _space.TryResolve(link, out var body);
        Invariant.Holds(found, "A link leads to a slot.");
        var header = _space.Header(body);
        Invariant.Holds(header.Matches(link) && header.State == SlotState.Marked, "A link leads to its body.");
        return body;
    }

    private int LengthOf(in SlotPlace owner, SlotHeader header, PilePointer link)
    {
        var place = link.IsDefault ? owner : BodyPlace(link);
        var whole = _space.TryDescribe(place, link.IsDefault ? header : _space.Header(place), out var payload);
        Invariant.Holds(whole, "A stored object fits its slot.");
        return payload.Length;
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

    // Waits while another thread has the header locked.
    private bool TryFindLive(PilePointer pointer, out SlotPlace place, out SlotHeader header)
    {
        header = default;
        var spin = default(SpinWait);
        while (_space.TryResolve(pointer, out place))
        {
            header = _space.Header(place);
            if (!header.Matches(pointer) || header.State is not (SlotState.Live or SlotState.Busy))
                return false;
            if (header.State == SlotState.Live)
                return true;
            spin.SpinOnce(sleep1Threshold: -1);
        }

        return false;
    }

    /// <summary>An owner whose header this thread has locked, the header as it was, what shall be stored, and
    /// whether an old body may be used that is far too large.</summary>
    private readonly record struct Locked(SlotPlace Owner, SlotHeader Header, PayloadKind Kind, bool TakesRoomy);
}
