using Cluster.Pile.Expiry;
using Cluster.Pile.Layout;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Copies objects out of the pile. A short object is copied optimistically: nothing is locked or counted, and
/// the copy is discarded when slab or header changed meanwhile. A long object is copied under the header's lock. Has no
/// state except a counter of reads.</summary>
/// <remarks>
/// The optimistic read, all from one pointer:
/// <list type="number">
/// <item>load the slab entry and find the slot border; load the header; compare the generation</item>
/// <item>through a link, do the same for the body, whose header is guarded by the owner's</item>
/// <item>check the length against the slot and copy to private memory</item>
/// <item>read barrier; reload header and entry of owner and body; any difference means again</item>
/// <item>an object whose deadline has come is gone, whether it was removed yet or not</item>
/// </list>
/// </remarks>
internal sealed class ObjectReader(SlotSpace space, ThreadCacheRegistry registry, DeadlineClock clock)
{
    /// <summary>Longer objects are copied under lock, because an update in between would waste a long copy.</summary>
    public const int OptimisticBytesMax = 16 * 1024;

    private const int AttemptsMax = 64;

    private readonly SlotSpace _space = space;
    private readonly ThreadCacheRegistry _registry = registry;
    private readonly DeadlineClock _clock = clock;

    /// <summary>The counter of reads by users; the callers count.</summary>
    public ReadCounter Reads { get; } = new();

    /// <summary>Copies the object when it fits the destination, and returns kind and length. Throws for a pointer
    /// without a live object.</summary>
    public StoredObject Read(PilePointer pointer, Span<byte> destination)
    {
        if (!TryRead(pointer, destination, out var found))
            PileErrors.InvalidPointer(pointer);
        return found;
    }

    /// <summary>Like <see cref="Read"/>, but returns false for a pointer without a live object. Throws when the pile is
    /// disposed of during the read.</summary>
    public bool TryRead(PilePointer pointer, Span<byte> destination, out StoredObject found)
    {
        var header = _space.CopyPlain(pointer, destination, OptimisticBytesMax);
        if (!header.IsPlain)
            return TryReadStepwise(pointer, destination, out found);
        found = new StoredObject(header.Kind, header.Length);
        return true;
    }

    /// <summary>Whether the pointer names a live object at this moment.</summary>
    public bool IsLive(PilePointer pointer) => TryDescribe(pointer, out _);

    /// <summary>Kind and length of the object, without its bytes. False: the pointer names none. A method apart from
    /// reads, because the compiler optimises for the usual path: with this one in the same method, reads took half as
    /// long again.</summary>
    public bool TryDescribe(PilePointer pointer, out StoredObject found) =>
        TryReadStepwise(pointer, default, out found);

    private bool TryReadStepwise(PilePointer pointer, Span<byte> destination, out StoredObject found)
    {
        var spin = default(SpinWait);
        for (var attempt = 1; ; attempt++)
        {
            var step = ReadOnce(pointer, destination, out found);
            if (step == ReadStep.NeedsLock || (step == ReadStep.Changed && attempt >= AttemptsMax))
                step = ReadLocked(pointer, destination, out found);
            if (step == ReadStep.Locked)
                ThrowIfAbandoned(pointer, attempt);
            if (step == ReadStep.Senseless && attempt >= AttemptsMax)
                ThrowSenseless(pointer);

            // The memory of a disposed pile is zero, and all pointers look stale.
            if (step == ReadStep.Invalid && _registry.IsClosed)
                PileErrors.Disposed();
            if (step is ReadStep.Done or ReadStep.Invalid)
                return step == ReadStep.Done;
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    private void ThrowIfAbandoned(PilePointer pointer, int attempt)
    {
        if (!_registry.IsInside)
            _space.Damage.ThrowIfAbandoned(_space, _registry, pointer);
        else if (attempt >= AttemptsMax + SlotDamage.LooksInsideFactor)
            throw _space.Damage.Abandoned(pointer);
    }

    private void ThrowSenseless(PilePointer pointer)
    {
        if (_registry.IsClosed)
            PileErrors.Disposed();
        throw _space.Damage.Of(pointer.Granule, $"the object at granule {pointer.Granule:x} does not fit together.");
    }

    private ReadStep ReadOnce(PilePointer pointer, Span<byte> destination, out StoredObject found)
    {
        found = default;
        if (!_space.TryResolve(pointer, out var owner))
            return ReadStep.Invalid;
        var ownerHeader = _space.Header(owner);
        if (!ownerHeader.Matches(pointer))
            return ReadStep.Invalid;
        if (!ownerHeader.IsReadable)
            return ownerHeader.State == SlotState.Busy ? ReadStep.Changed : ReadStep.Invalid;

        if (!_space.TryFindBody(owner, ownerHeader, out var body, out var header)
            || !_space.TryDescribe(body, header, out var payload))
        {
            // An object changes only with a new version, so an object with the same version before and after the copy
            // is damaged.
            Volatile.ReadBarrier();
            return _space.IsSameVersion(owner, ownerHeader) ? ReadStep.Senseless : ReadStep.Changed;
        }

        var deadline = _space.Deadline(body, header);

        // An object under a view does not change, so a long copy is not wasted and needs no lock.
        var isLong = payload.Length > OptimisticBytesMax && payload.Length <= destination.Length;
        if (isLong && !ownerHeader.IsPinned)
            return ReadStep.NeedsLock;
        if (payload.Length <= destination.Length)
            _space.CopyOut(payload, destination[..payload.Length]);
        Volatile.ReadBarrier();
        if (!_space.IsSameVersion(owner, ownerHeader) || !_space.IsSameVersion(body, header))
            return ReadStep.Changed;
        if (_clock.IsPast(deadline))
            return ReadStep.Invalid;
        found = new StoredObject(payload.Kind, payload.Length);
        return ReadStep.Done;
    }

    // An object under a view can be read without the lock, so this case returns Changed.
    private ReadStep ReadLocked(PilePointer pointer, Span<byte> destination, out StoredObject found)
    {
        found = default;
        using var operation = _registry.Begin();
        if (!TryLock(pointer, out var owner, out var ownerHeader))
        {
            return ownerHeader.State == SlotState.Busy ? ReadStep.Locked
                : ownerHeader.IsPinned ? ReadStep.Changed : ReadStep.Invalid;
        }

        try
        {
            var whole = _space.TryFindBody(owner, ownerHeader, out var body, out var header);
            whole &= _space.TryDescribe(body, header, out var payload);
            if (!whole)
                return ReadStep.Senseless;
            if (_clock.IsPast(_space.Deadline(body, header)))
                return ReadStep.Invalid;
            if (payload.Length <= destination.Length)
                _space.CopyOut(payload, destination[..payload.Length]);
            found = new StoredObject(payload.Kind, payload.Length);
            return ReadStep.Done;
        }
        finally
        {
            _space.SetState(owner, ownerHeader, SlotState.Live);
        }
    }

    // False: the header says whether a view or a lasting lock is the reason.
    private bool TryLock(PilePointer pointer, out SlotPlace place, out SlotHeader header)
    {
        var spin = default(SpinWait);
        for (var looks = 0; _space.TryResolve(pointer, out place); looks++)
        {
            header = _space.Header(place);
            if (!header.Matches(pointer) || !header.IsObject)
                break;
            if (header.IsPinned || (header.State == SlotState.Busy && looks >= SlotDamage.LooksMax))
                return false;
            if (header.State == SlotState.Live && _space.TryLock(place, header))
                return true;
            spin.SpinOnce(sleep1Threshold: -1);
        }

        header = default;
        return false;
    }
}
