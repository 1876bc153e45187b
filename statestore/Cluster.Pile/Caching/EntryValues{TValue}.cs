using Cluster.Pile.Caching.Flights;
using Cluster.Pile.Layout;
using Cluster.Pile.Objects;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching;

/// <summary>The entries of one table as values: encodes each into a payload and decodes it again. It is also the store
/// in which loads find and keep values. Safe for many threads; no user code runs under a lock.</summary>
internal sealed class EntryValues<TValue>(CacheEntries entries, ValueStore objects) : IFlightStore<TValue>
    where TValue : notnull
{
    private readonly CacheEntries _entries = entries;
    private readonly ValueStore _objects = objects;

    /// <summary>Stores a value. With a guard, stores only when nothing overtook the load and the key has no
    /// entry.</summary>
    [SkipLocalsInit]
    public PutResult Put(in RecordKey key, TValue value, in EntryOptions terms, FlightGuard? guard = null)
    {
        using var encoded = _objects.Encode(value, stackalloc byte[ScratchBuffer.StackBytes]);
        return Put(key, (RecordKind)encoded.Kind, encoded.Bytes, terms, guard);
    }

    /// <summary>A fresh copy of a value, also of one that is an object of the pile.</summary>
    public bool TryGet(in RecordKey key, in ReadOptions terms, [MaybeNullWhen(false)] out TValue value)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        var gone = default(PilePointer);
        value = default;
        try
        {
            while (_entries.TryRead(key, scratch.Span, terms, out var found))
            {
                if (found.Length > scratch.Span.Length)
                {
                    scratch.Grow(found.Length + EntryBounds.Bytes);
                    continue;
                }

                if (found.Kind != RecordKind.Pointer)
                {
                    value = _objects.Decode<TValue>((PayloadKind)found.Kind, scratch.Span[..found.Length]);
                    return true;
                }

                // The object is gone without its entry when another caller deleted it, and with its entry when that was
                // replaced.
                var pointer = PilePointer.FromUInt64(BitConverter.ToUInt64(scratch.Span));
                if (pointer == gone)
                    return false;
                if (TryGetObject(pointer, out value))
                    return true;
                gone = pointer;
            }

            return false;
        }
        finally
        {
            scratch.Dispose();
        }
    }

    /// <summary>Makes an entry own an object of the pile.</summary>
    public PutResult PutPointer(in RecordKey key, PilePointer pointer, in EntryOptions terms)
    {
        if (!_objects.IsLive(pointer))
            PileErrors.InvalidPointer(pointer);
        Span<byte> payload = stackalloc byte[sizeof(ulong)];
        BitConverter.TryWriteBytes(payload, pointer.ToUInt64());
        return _entries.Put(key, RecordKind.Pointer, payload, terms, RecordCondition.Always);
    }

    /// <summary>The object that an entry owns. False: there is no entry, or it holds its value itself.</summary>
    public bool TryGetPointer(in RecordKey key, out PilePointer pointer)
    {
        Span<byte> payload = stackalloc byte[sizeof(ulong) + EntryBounds.Bytes];
        var isPointer = _entries.TryRead(key, payload, default, out var found) && found.Kind == RecordKind.Pointer;
        pointer = isPointer ? PilePointer.FromUInt64(BitConverter.ToUInt64(payload)) : default;
        return isPointer;
    }

    /// <summary>Copies the stored bytes of a value if the destination holds all of them, and gives their number in both
    /// cases.</summary>
    public bool TryRead(in RecordKey key, Span<byte> destination, in ReadOptions terms, out int length)
    {
        var isThere = _entries.TryRead(key, destination, terms, out var found);
        length = found.Length;
        return isThere && (found.Kind != RecordKind.Pointer || TryReadObject(key, destination, out length));
    }

    bool IFlightStore<TValue>.TryFind(ReadOnlySpan<byte> key, [MaybeNullWhen(false)] out TValue value) =>
        TryGet(RecordOf(key), default, out value);

    bool IFlightStore<TValue>.Store(ReadOnlySpan<byte> key, TValue value, EntryOptions terms, FlightGuard guard) =>
        Put(RecordOf(key), value, terms, guard) != PutResult.Refused;

    private RecordKey RecordOf(ReadOnlySpan<byte> key) => new(_entries.Store.Hash.OfBytes(key), key);

    private bool TryGetObject(PilePointer pointer, [MaybeNullWhen(false)] out TValue value)
    {
        try
        {
            value = _objects.Get<TValue>(pointer);
            return true;
        }
        catch (InvalidPilePointerException)
        {
            value = default;
            return false;
        }
    }

    private bool TryReadObject(in RecordKey key, Span<byte> destination, out int length)
    {
        var gone = default(PilePointer);
        while (TryGetPointer(key, out var pointer) && pointer != gone)
        {
            if (_objects.TryRead(pointer, destination, out length))
                return true;
            gone = pointer;
        }

        length = 0;
        return false;
    }

    private PutResult Put(
        in RecordKey key, RecordKind kind, ReadOnlySpan<byte> payload, in EntryOptions terms, FlightGuard? guard)
    {
        if (guard is null)
            return _entries.Put(key, kind, payload, terms, RecordCondition.Always);
        using (guard.Enter())
        {
            return guard.IsOvertaken
                ? PutResult.Refused
                : _entries.Put(key, kind, payload, terms, RecordCondition.Absent);
        }
    }
}
