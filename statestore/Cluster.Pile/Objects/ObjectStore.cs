using Cluster.Pile.Layout;
using Cluster.Pile.Slots;
using Cluster.Pile.Views;

namespace Cluster.Pile.Objects;

/// <summary>Payloads by pointer: each operation enters its thread, does its one step, and makes room when there was
/// none. Owned by one pile; thread-safe as <see cref="ObjectReader"/> and <see cref="ObjectWriter"/> are.</summary>
internal sealed class ObjectStore(
    ObjectReader reader, ObjectWriter writer, ThreadCacheRegistry registry, MemoryPressure pressure, ViewStore views)
{
    private readonly ObjectReader _reader = reader;
    private readonly ObjectWriter _writer = writer;
    private readonly ThreadCacheRegistry _registry = registry;
    private readonly MemoryPressure _pressure = pressure;
    private readonly ViewStore _views = views;

    public bool IsLive(PilePointer pointer) => _reader.IsLive(pointer);

    /// <summary>Stores a new object. Throws, and changes nothing, when the budget does not hold it.</summary>
    public PilePointer Put(PayloadKind kind, ReadOnlySpan<byte> value, PutHints hints) =>
        hints.AreNone && TryPutPlain(kind, value, out var pointer) ? pointer : PutAnyhow(kind, value, hints);

    private PilePointer PutAnyhow(PayloadKind kind, ReadOnlySpan<byte> value, PutHints hints)
    {
        var form = new PayloadForm(kind, hints.RoomBytes, _pressure.DeadlineOf(hints));
        if (!TryPut(form, value, out var pointer))
            pointer = PutAfterMakingRoom(form, value);
        if (form.Deadline != 0)
            _pressure.WatchDeadlines();
        return pointer;
    }

    /// <summary>Replaces an object in place. Throws when there is none or the budget does not hold it.</summary>
    public void Replace(PilePointer pointer, PayloadKind kind, ReadOnlySpan<byte> value, PutHints hints)
    {
        var keepsDeadline = hints.TimeToLiveTicks == 0;
        var form = new PayloadForm(kind, hints.RoomBytes, _pressure.DeadlineOf(hints), keepsDeadline);
        var step = TryReplace(pointer, form, value);
        if (step == WriteStep.Full)
        {
            _pressure.MakeRoom(form.BytesFor(value.Length));
            step = TryReplace(pointer, form, value);
        }

        if (step == WriteStep.Full)
            throw _pressure.Full(form.BytesFor(value.Length));
        if (step == WriteStep.Invalid)
            PileErrors.InvalidPointer(pointer);
        if (form.Deadline != 0)
            _pressure.WatchDeadlines();
        _pressure.ReclaimWhenWorthIt();
    }

    /// <summary>Copies an object's bytes if the destination holds them all; returns kind and length in both
    /// cases.</summary>
    public StoredObject Read(PilePointer pointer, Span<byte> destination)
    {
        var found = _reader.Read(pointer, destination);
        _reader.Reads.Add();
        return found;
    }

    /// <summary>The payload bytes of an object.</summary>
    public int LengthOf(PilePointer pointer)
    {
        if (!_reader.TryDescribe(pointer, out var found))
            PileErrors.InvalidPointer(pointer);
        return found.Length;
    }

    /// <summary>Like <see cref="Read"/>. False: the pointer names no live object.</summary>
    public bool TryRead(PilePointer pointer, Span<byte> destination, out StoredObject found)
    {
        var isFound = _reader.TryRead(pointer, destination, out found);
        if (isFound)
            _reader.Reads.Add();
        return isFound;
    }

    /// <summary>Kind and length of an object whose header a scan has met. False: it is gone.</summary>
    public bool TryDescribe(PilePointer pointer, SlotHeader header, out StoredObject found)
    {
        found = new StoredObject(header.Kind, header.Length);
        return header.Kind < PayloadKind.Link || _reader.TryDescribe(pointer, out found);
    }

    /// <summary>Copies an object's bytes into a buffer that grows to hold them.</summary>
    public StoredObject ReadInto(PilePointer pointer, ref ScratchBuffer scratch)
    {
        while (true)
        {
            var found = _reader.Read(pointer, scratch.Span);
            if (found.Length <= scratch.Span.Length)
            {
                _reader.Reads.Add();
                return found;
            }

            scratch.Grow(found.Length);
        }
    }

    /// <summary>The bytes of an object that holds bytes, as a new array.</summary>
    public byte[] ReadBytes(PilePointer pointer)
    {
        var bytes = Array.Empty<byte>();
        while (true)
        {
            var found = _reader.Read(pointer, bytes);
            if (found.Kind != PayloadKind.Bytes)
                PayloadErrors.WrongKind(found.Kind, typeof(byte[]));
            if (found.Length == bytes.Length)
            {
                _reader.Reads.Add();
                return bytes;
            }

            bytes = GC.AllocateUninitializedArray<byte>(found.Length);
        }
    }

    /// <summary>Deletes an object. False: the pointer names no live object.</summary>
    public bool Delete(PilePointer pointer)
    {
        var step = TryDelete(pointer);
        if (step is WriteStep.Pinned or WriteStep.Locked)
            step = DeleteWaiting(pointer, step);
        _pressure.ReclaimWhenWorthIt();
        return step == WriteStep.Done;
    }

    private WriteStep DeleteWaiting(PilePointer pointer, WriteStep step)
    {
        var waitBudget = default(WaitBudget);
        while (step is WriteStep.Pinned or WriteStep.Locked)
        {
            Wait(pointer, step, ref waitBudget);
            step = TryDelete(pointer);
        }

        return step;
    }

    // The holder of a lasting lock may have died.
    private void Wait(PilePointer pointer, WriteStep step, ref WaitBudget waitBudget)
    {
        if (step == WriteStep.Pinned)
            _views.WaitFor(pointer, ref waitBudget);
        else
            _views.ThrowIfAbandoned(pointer);
    }

    private PilePointer PutAfterMakingRoom(in PayloadForm form, ReadOnlySpan<byte> value)
    {
        _pressure.MakeRoom(form.BytesFor(value.Length));
        if (!TryPut(form, value, out var pointer))
            throw _pressure.Full(form.BytesFor(value.Length));
        return pointer;
    }

    private bool TryPutPlain(PayloadKind kind, ReadOnlySpan<byte> value, out PilePointer pointer)
    {
        using var operation = _registry.Begin();
        return _writer.TryPutPlain(operation.Cache, kind, value, out pointer);
    }

    private bool TryPut(in PayloadForm form, ReadOnlySpan<byte> value, out PilePointer pointer)
    {
        using var operation = _registry.Begin();
        return _writer.TryPut(operation.Cache, form, value, out pointer);
    }

    private WriteStep TryDelete(PilePointer pointer)
    {
        using var operation = _registry.Begin();
        var step = _writer.Delete(operation.Cache, pointer);
        operation.Cache.Deletes += step == WriteStep.Done ? 1 : 0;
        return step;
    }

    private WriteStep TryReplace(PilePointer pointer, in PayloadForm form, ReadOnlySpan<byte> value)
    {
        var waitBudget = default(WaitBudget);
        WriteStep step;
        while ((step = TryReplaceNow(pointer, form, value)) is WriteStep.Pinned or WriteStep.Locked)
            Wait(pointer, step, ref waitBudget);
        return step;
    }

    private WriteStep TryReplaceNow(PilePointer pointer, in PayloadForm form, ReadOnlySpan<byte> value)
    {
        using var operation = _registry.Begin();
        var step = _writer.Update(operation.Cache, pointer, form, value);
        operation.Cache.Puts += step == WriteStep.Done ? 1 : 0;
        return step;
    }
}
