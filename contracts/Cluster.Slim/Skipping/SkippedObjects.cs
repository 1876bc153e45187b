using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Skipping;

/// <summary>The skipped objects of one message, in order of their handles. A skipped object is built when a kept object
/// refers to it: its part of the message is read again, with the same handles, and its body when the deferred bodies
/// are read, so that objects which refer to each other do not recurse. Owned by one reader.</summary>
internal sealed class SkippedObjects(SlimReader reader)
{
    private const int CapacityMin = 16;
    private const int RetainedCount = 4096;
    private const int NestingMax = ObjectTags.HeadDepthMax;

    private SkippedObject[] _entries = new SkippedObject[CapacityMin];
    private int _count;
    private int _chargedCount = CapacityMin;
    private int _next;
    private int _nesting;
    private bool _isRecording;

    /// <summary>Whether a part of the message is being read again.</summary>
    public bool IsReplaying { get; private set; }

    private TypeSerializer SerializerForCodec(TypeLayout layout) =>
        reader.Allowed.FindByName(layout.Name) is not null
            ? reader.Allowed.SerializerOf(layout)
            : throw Throw.Layout(
                layout.Name,
                $"{layout.Name} is carried by a codec that is not known here, so that nobody knows where it ends. Add "
                + "the codec: AddCodec.");

    public void CheckReference(uint handle)
    {
        if (handle >= (uint)reader.Handles.Count)
            Throw.Malformed($"The reference {handle} points behind the {reader.Handles.Count} objects read so far.");
    }

    /// <summary>Remembers an object whose creation part comes next, and gives it its handle.</summary>
    public int Begin(TypeLayout layout, int depth)
    {
        var index = Add(layout, depth);
        reader.Handles.Reserve(reader);
        return index;
    }

    private int Add(TypeLayout layout, int depth)
    {
        if (_count == _chargedCount)
            Grow();
        ref var entry = ref _entries[_count];
        entry.Layout = layout;
        entry.Handle = reader.Handles.Count;
        entry.Depth = depth;
        entry.Start = (int)reader.Offset;
        entry.Body = -1;
        entry.IsDeferred = false;
        return _count++;
    }

    // Room that is left from earlier messages is charged like new room.
    private void Grow()
    {
        var capacity = checked(_chargedCount * 2);
        reader.Charge((long)capacity * Unsafe.SizeOf<SkippedObject>());
        if (capacity > _entries.Length)
            Array.Resize(ref _entries, capacity);
        _chargedCount = capacity;
    }

    public void BeginBody(int index)
    {
        ref var entry = ref _entries[index];
        entry.Body = (int)reader.Offset;
        entry.BodyHandle = reader.Handles.Count;
    }

    public void End(int index)
    {
        ref var entry = ref _entries[index];
        entry.End = (int)reader.Offset;
        entry.EndHandle = reader.Handles.Count;
    }

    /// <summary>Defers the body of an object that lies too deep.</summary>
    public void Defer(int index, int length)
    {
        _entries[index].IsDeferred = true;
        End(index);
        reader.Charge(LaterBody.Bytes);
        reader.Deferred.Add(LaterSerializer.Instance, new SkippedBody(this, index, length));
    }

    /// <summary>Reads a value that only a user's codec can take from the message. Its objects are remembered as well,
    /// so that they can be passed when the message is read again.</summary>
    public void ReadForCodec(TypeLayout layout)
    {
        var serializer = SerializerForCodec(layout);
        var wasRecording = BeginRecording();
        if (layout.IsValue)
            ReadValue(serializer);
        else
            reader.ReadNew(serializer);
        EndRecording(wasRecording);
    }

    // The caller has counted the value as a level already, and the codec counts it again.
    private void ReadValue(TypeSerializer serializer)
    {
        reader.Depth--;
        serializer.ReadBody(reader, serializer.Create(reader));
        reader.Depth++;
    }

    /// <summary>Begins to remember the objects that are read, because the surrounding object is skipped.</summary>
    public bool BeginRecording()
    {
        var wasRecording = _isRecording;
        _isRecording = true;
        reader.IsWatched = true;
        return wasRecording;
    }

    /// <summary>Ends what <see cref="BeginRecording"/> began.</summary>
    public void EndRecording(bool wasRecording)
    {
        _isRecording = wasRecording;
        reader.IsWatched = IsReplaying || _isRecording;
    }

    /// <summary>Reads an object while parts of the message are read again, or for a codec.</summary>
    public object ReadNew(TypeSerializer serializer)
    {
        if (IsReplaying)
            return ReadAgain(serializer);
        if (!serializer.IsTracked)
            return reader.ReadNewUnwatched(serializer);
        var index = Add(reader.Allowed.LayoutOf(serializer.Type), reader.Depth + 1);
        var instance = serializer.IsReplaceable
            ? reader.ReadReplaceableUnwatched(serializer)
            : reader.ReadNewUnwatched(serializer);
        End(index);
        return instance;
    }

    /// <summary>Builds the skipped object of a handle.</summary>
    public object Build(uint handle)
    {
        var index = IndexOf((int)handle);
        if (index < 0)
            Throw.Malformed($"The reference {handle} points to an object that is not complete.");
        if (_nesting == NestingMax || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
            Throw.FormatLimit("Nesting", "Skipped objects that refer to each other cannot be built so deep.");
        ref var entry = ref _entries[index];
        var serializer = reader.Allowed.SerializerOf(entry.Layout);
        var before = Enter(entry.Start, (int)handle, entry.Depth - 1);
        _nesting++;
        var instance = Create(serializer, index);
        _nesting--;
        if (serializer.HasBody)
            FillLater(serializer, instance, index);
        Leave(before);
        return instance;
    }

    /// <summary>Reads an object of a part that is read again.</summary>
    private object ReadAgain(TypeSerializer serializer)
    {
        if (!serializer.IsTracked)
            return serializer.Create(reader);
        var index = IndexHere();
        if (reader.Handles.FindOrNull((uint)_next) is { } known)
        {
            reader.NoteReference((uint)_next);
            JumpOver();

            // A substitute may be replaced by now; the caller checks the result.
            if (!serializer.IsReplaceable && !serializer.Type.IsInstanceOfType(known))
                Throw.Malformed($"An object that was skipped is not a {serializer.Type}.");
            return known;
        }

        var instance = Create(serializer, index);
        if (serializer.HasBody && _entries[index].IsDeferred)
            FillLater(serializer, instance, index);
        else if (serializer.HasBody)
            serializer.ReadBody(reader, instance);
        reader.Depth--;
        if (!serializer.IsReplaceable)
            return instance;
        var real = reader.Completions.Substitutions.TakeRealOf(instance);
        reader.Handles.Set(_entries[index].Handle, real);
        return real;
    }

    /// <summary>Passes an object of a part that is read again.</summary>
    public void JumpOver()
    {
        ref var entry = ref _entries[IndexHere()];
        reader.Seek(entry.End);
        _next = entry.EndHandle;
    }

    /// <summary>Reads the deferred body of a skipped object, which may have been built since.</summary>
    public void ReadBody(int index, int length)
    {
        BeginBody(index);
        var layout = _entries[index].Layout;
        if (reader.Handles.FindOrNull((uint)_entries[index].Handle) is { } instance)
            reader.Allowed.SerializerOf(layout).ReadBody(reader, instance);
        else
            reader.Skipper.SkipBody(layout, length);
    }

    /// <summary>Reads the body of an object that was built late.</summary>
    public void ReadBodyAgain(TypeSerializer serializer, object instance, int index)
    {
        ref var entry = ref _entries[index];
        var before = Enter(entry.Body, entry.BodyHandle, entry.IsDeferred ? 1 : entry.Depth);
        serializer.ReadBody(reader, instance);
        Leave(before);
    }

    public void Clear()
    {
        IsReplaying = false;
        _isRecording = false;
        _nesting = 0;
        if (_count > RetainedCount)
            _entries = new SkippedObject[CapacityMin];
        else
            Array.Clear(_entries, 0, _count);
        _count = 0;
        _chargedCount = CapacityMin;
    }

    // Goes one level down, creates the object and stores it under its handle.
    private object Create(TypeSerializer serializer, int index)
    {
        var handle = _next++;
        var depth = ++reader.Depth;
        if (depth > ObjectTags.HeadDepthMax && (serializer.HeadHasReferences || !serializer.HasBody))
            ObjectTags.ThrowTooDeep(serializer.Type);
        var instance = serializer.Create(reader);
        if (serializer.HasFinalizer)
            reader.Deferred.Suspend(instance);
        reader.Handles.Set(handle, instance);
        return instance;
    }

    // A body that is still deferred will find that its object exists.
    private void FillLater(TypeSerializer serializer, object instance, int index)
    {
        if (_entries[index].Body < 0)
            return;
        reader.Charge(LaterBody.Bytes);
        reader.Deferred.Add(LaterSerializer.Instance, new ReplayedBody(this, index, serializer, instance));
    }

    private State Enter(int offset, int handle, int depth)
    {
        State before = new((int)reader.Offset, _next, reader.Depth, IsReplaying);
        reader.Seek(offset);
        reader.Depth = depth;
        _next = handle;
        IsReplaying = true;
        reader.IsWatched = true;
        return before;
    }

    private void Leave(State before)
    {
        reader.Seek(before.Offset);
        reader.Depth = before.Depth;
        _next = before.Next;
        IsReplaying = before.IsReplaying;
        reader.IsWatched = IsReplaying || _isRecording;
    }

    // The part that is read again must equal the skipped part; its layouts came with the message.
    private int IndexHere()
    {
        var index = IndexOf(_next);
        if (index < 0 || _entries[index].Start != reader.Offset)
            Throw.Malformed("An object that was skipped is not what its description says.");
        return index;
    }

    private int IndexOf(int handle)
    {
        var low = 0;
        var high = _count - 1;
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (_entries[middle].Handle == handle)
                return middle;
            if (_entries[middle].Handle < handle)
                low = middle + 1;
            else
                high = middle - 1;
        }

        return -1;
    }

    /// <summary>The state of the reader before a part was read again.</summary>
    private readonly record struct State(int Offset, int Next, int Depth, bool IsReplaying);
}
