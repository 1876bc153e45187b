using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Hosting;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Skipping;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Messages;

/// <summary>Reads one message at a time from pinned memory. User codecs read through it. Every access is checked
/// against the end of the message, and memory is charged before it is allocated. Pooled by the serializer; used by one
/// thread at a time; outside a call its range is empty, so that a kept reference reads nothing.</summary>
public sealed unsafe class SlimReader
{
    private readonly DeferredBodies _deferred = new();
    private readonly Completions _completions = new();
    private readonly KeyLedger _keys = new(isWriting: false);
    private readonly HandleTable _handles = new();
    private readonly ReaderTypes _types;
    private byte* _start;
    private byte* _cursor;
    private byte* _end;
    private long _budget;
    private SerializerContext _context = null!;
    private AdmittedTypes _allowed = null!;
    private int _textLengthMax;
    private int _depth;
    private bool _isShareless;
    private bool _hasEnd;
    private bool _hasReferences;
    private bool _isBodyNext;
    private int _lowestReference = int.MaxValue;
    private int _plainDepthMax = ObjectTags.DepthMax;
    private SkippedObjects? _skipped;
    private Skipper? _skipper;
    private ReadOnlyMemory<byte> _message;
    private SlimBytesMemory _bytesMemory;

    /// <summary>Creates a reader of standalone messages.</summary>
    internal SlimReader()
        : this(new ReaderTypes(isSession: false))
    {
    }

    /// <summary>Creates a reader with the type table of a session, or of standalone messages.</summary>
    internal SlimReader(ReaderTypes types) => _types = types;

    internal SerializerContext Context => _context;

    internal SlimLimits Limits => _context.Limits;

    internal ReaderTypes Types => _types;

    /// <summary>Whether a call on this thread uses the reader at present.</summary>
    internal bool IsRented { get; set; }

    internal long Offset => _cursor - _start;

    internal int Remaining => (int)(_end - _cursor);

    /// <summary>The work at the end of the message. The getter notes that the caller uses it: few messages do, and the
    /// others need no check.</summary>
    internal Completions Completions => AtEnd(_completions);

    internal DeferredBodies Deferred => AtEnd(_deferred);

    internal HandleTable Handles => _handles;

    /// <summary>The cost of the message's keys so far.</summary>
    internal KeyLedger Keys => AtEnd(_keys).At(_context.Limits, _end - _start, _hasReferences);

    internal long LastKeySteps => _keys.LastSteps;

    /// <summary>The closed list of the root that is being read.</summary>
    internal AdmittedTypes Allowed { get => _allowed; set => _allowed = value; }

    /// <summary>The depth of the object or value that is being read.</summary>
    internal int Depth { get => _depth; set => _depth = value; }

    /// <summary>Whether a message is skipped or projected, so that objects are read in a special way, see
    /// <see cref="SkippedObjects"/>.</summary>
    internal bool IsWatched
    {
        get => _plainDepthMax < 0;
        set => _plainDepthMax = value ? -1 : ObjectTags.DepthMax;
    }

    internal SkippedObjects Skipped => _skipped ??= new SkippedObjects(this);

    internal Skipper Skipper => _skipper ??= new Skipper(this, Skipped);

    internal MemberTrace? Trace { get; set; }

    internal HostImports? Imports { get; set; }

    /// <summary>Reads what <see cref="SlimWriter.Write{T}"/> wrote for the same declared type.</summary>
    /// <typeparam name="T">The declared type.</typeparam>
    public T Read<T>() => _allowed.FieldSerializerOf<T>().Read(this);

    /// <summary>Reads a number that <see cref="SlimWriter.WriteCount"/> wrote, and checks it as a count.</summary>
    /// <param name="elementBytesMin">The smallest number of message bytes that one counted element takes.</param>
    public int ReadCount(int elementBytesMin)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(elementBytesMin, 1);
        var count = ReadVar();
        if ((ulong)count * (uint)elementBytesMin > (uint)Remaining)
            Throw.Malformed($"The count {count} is larger than the rest of the message can hold.");
        return (int)count;
    }

    /// <summary>Reads as many bytes as the target holds.</summary>
    /// <param name="target">Filled completely.</param>
    public void ReadBytes(Span<byte> target) =>
        MemoryMarshal.CreateReadOnlySpan(ref Take(target.Length), target.Length).CopyTo(target);

    /// <summary>Charges memory that the caller is about to allocate.</summary>
    /// <param name="bytes">Zero or more.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Charge(long bytes)
    {
        // A negative number would increase the budget.
        if ((ulong)bytes > (ulong)_budget)
            ThrowOverBudget(bytes);
        _budget -= bytes;
    }

    /// <summary>Takes bytes from the message; the reference is valid until the next call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Take(int count)
    {
        var cursor = _cursor;
        if ((nuint)(uint)count > (nuint)(_end - cursor))
            Throw.Truncated();
        _cursor = cursor + count;
        return ref *cursor;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal byte ReadByte() => Take(1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint ReadVar()
    {
        uint value = ReadByte();
        return value < 0x80 ? value : VarNumber.ReadRest(this, value & 0x7F);
    }

    /// <summary>Takes a null head or a count of zero from the message if it comes next.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool SkipZero()
    {
        var cursor = _cursor;
        if (cursor == _end || *cursor != ObjectTags.Null)
            return false;
        _cursor = cursor + 1;
        return true;
    }

    internal T ReadRaw<T>()
        where T : unmanaged =>
        Unsafe.ReadUnaligned<T>(ref Take(Unsafe.SizeOf<T>()));

    internal string? ReadString()
    {
        // Most texts are short: their header is one byte, odd because they are narrow, and one check is enough.
        var cursor = _cursor;
        var left = (nint)(_end - cursor);
        if (left > 0 && (*cursor & 0x81) == 1)
        {
            var length = *cursor >> 1;
            if (length < left && length != 0 && length <= _textLengthMax)
            {
                Charge(LongText.MemoryBytesOf(length));
                _cursor = cursor + 1 + length;
                return ShortText.NewText(ref cursor[1], length);
            }
        }

        return LongText.Read(this, _textLengthMax);
    }

    /// <summary>Reads an object whose exact type is known: charges, creates, gives the handle, fills.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal object ReadNew(TypeSerializer serializer)
    {
        var depth = _depth;
        if (!serializer.IsPlain || depth >= _plainDepthMax)
            return IsWatched ? Skipped.ReadNew(serializer) : ReadNewUnwatched(serializer);
        _depth = depth + 1;
        var instance = serializer.ReadWhole(this);
        _depth = depth;
        return instance;
    }

    internal object ReadNewUnwatched(TypeSerializer serializer)
    {
        var depth = ++_depth;
        if (!serializer.IsTracked && depth <= ObjectTags.HeadDepthMax)
        {
            _depth = depth - 1;
            return serializer.Create(this);
        }

        var handle = serializer.IsTracked && !_isShareless ? _handles.Reserve(this) : -1;
        if (depth > ObjectTags.HeadDepthMax && (serializer.HeadHasReferences || !serializer.HasBody))
            ObjectTags.ThrowTooDeep(serializer.Type);
        var instance = serializer.Create(this);
        if (serializer.HasFinalizer)
            Deferred.Suspend(instance);
        if (handle >= 0)
            _handles.Set(handle, instance);
        if (serializer.HasBody)
        {
            if (depth > ObjectTags.DepthMax)
                Deferred.Add(serializer, instance);
            else
                serializer.ReadBody(this, instance);
        }

        _depth = depth - 1;
        return instance;
    }

    /// <summary>Gives the next handle to an object that exists and whose body comes next.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void AddHandle(object instance)
    {
        if (!_isShareless)
            _handles.Add(this, instance);
    }

    /// <summary>Takes the handle of a value that no place refers to.</summary>
    internal void BeginValue()
    {
        _handles.Reserve(this);
        _depth++;
    }

    /// <summary>Reads an object of a serializer whose objects user code may replace. Returns the real object, unless
    /// that is not known yet.</summary>
    internal object ReadReplaceable(TypeSerializer serializer) =>
        IsWatched ? Skipped.ReadNew(serializer) : ReadReplaceableUnwatched(serializer);

    internal object ReadReplaceableUnwatched(TypeSerializer serializer)
    {
        var depth = ++_depth;
        var handle = _isShareless ? -1 : _handles.Reserve(this);
        _isBodyNext = false;
        var instance = serializer.Create(this);
        var isWhole = _isBodyNext;
        if (serializer.HasFinalizer
            || (instance.GetType() != serializer.Type && Finalizers.IsPresent(instance.GetType())))
            Deferred.Suspend(instance);
        if (handle >= 0)
            _handles.Set(handle, instance);
        if (depth > ObjectTags.DepthMax && !isWhole)
        {
            Deferred.Add(serializer, instance);
        }
        else
        {
            if (depth > ObjectTags.HeadDepthMax)
                ObjectTags.ThrowTooDeep(serializer.Type);
            serializer.ReadBody(this, instance);
        }

        _depth = depth - 1;
        var real = Completions.Substitutions.TakeRealOf(instance);
        if (handle >= 0)
            _handles.Set(handle, real);
        return real;
    }

    /// <summary>Takes the head of a new object of exactly the declared type if it comes next and its body is not
    /// deferred, and takes a handle without an object for it.</summary>
    internal bool TryReadNewHandle()
    {
        var cursor = _cursor;
        if (_depth >= _plainDepthMax || cursor == _end || *cursor != ObjectTags.NewExact)
            return false;
        _cursor = cursor + 1;
        if (!_isShareless)
            _handles.Reserve(this);
        return true;
    }

    /// <summary>Reads the count and the bytes of an array, which lie where the host of the reader wants them.</summary>
    internal SlimBytes ReadLent()
    {
        var count = ReadCount(elementBytesMin: 1);
        Charge(24 + (long)count);
        var offset = (int)Offset;
        var bytes = MemoryMarshal.CreateReadOnlySpan(ref Take(count), count);
        return _bytesMemory switch
        {
            SlimBytesMemory.Lent => new SlimBytes(_message.Slice(offset, count)),
            SlimBytesMemory.Pooled => SlimBytes.CopyToPool(bytes),
            _ => new SlimBytes(bytes.ToArray()),
        };
    }

    /// <summary>Says where the bytes of the message lie that is read next.</summary>
    internal void LendFrom(ReadOnlyMemory<byte> message, SlimBytesMemory memory) =>
        (_message, _bytesMemory) = (message, memory);

    /// <summary>Notes that the body of the object being created follows its head directly, at any depth.</summary>
    internal void ExpectBody() => _isBodyNext = true;

    internal object ReadReference(uint head)
    {
        var handle = head - ObjectTags.ReferenceFirst;
        var value = _handles.FindOrNull(handle) ?? Skipped.Build(handle);
        NoteReference(handle);
        return value;
    }

    /// <summary>Notes a reference to an earlier object.</summary>
    internal void NoteReference(uint handle)
    {
        _hasReferences = true;
        if (handle < (uint)_lowestReference)
            _lowestReference = (int)handle;
    }

    /// <summary>Begins a part of the graph; <see cref="EndPart"/> shows whether it is complete.</summary>
    internal PartMark BeginPart()
    {
        PartMark mark = new(_handles.Count, _lowestReference, _deferred.AddedCount + _completions.PendingCount);
        _lowestReference = int.MaxValue;
        return mark;
    }

    /// <summary>Ends a part. Returns whether all objects that it reaches are complete.</summary>
    internal bool EndPart(in PartMark mark)
    {
        var isComplete = _lowestReference >= mark.ObjectCount
            && _deferred.AddedCount + _completions.PendingCount == mark.WaitingCount;
        _lowestReference = Math.Min(_lowestReference, mark.LowestReference);
        return isComplete;
    }

    internal void Replace(Substitutions substitutions) => _handles.Replace(substitutions);

    internal Dictionary<object, int> HandlesOf(IEnumerable<object> objects) => _handles.HandlesOf(objects);

    /// <summary>Skips a value in a place of the described type, without building it.</summary>
    internal void Skip(TypeLayout declared) => Skipper.SkipPlace(declared);

    internal void Advance(long count)
    {
        if ((ulong)count > (ulong)(_end - _cursor))
            Throw.Truncated();
        _cursor += count;
    }

    internal void Seek(int offset) => _cursor = _start + offset;

    /// <summary>Reads the type reference of a skipped value: the type need not exist in this process.</summary>
    internal TypeLayout ReadLayout() => _types.ReadLayout(this, _allowed);

    internal TypeSerializer ReadType() => _types.ReadReference(this, _allowed);

    internal void Start(byte* start, int length, int offset)
    {
        _start = start;
        _cursor = start + offset;
        _end = start + length;
    }

    /// <summary>Forgets the memory of the message, which is unpinned next; returns the number of bytes read.</summary>
    internal int Stop()
    {
        var offset = (int)(_cursor - _start);
        _start = _cursor = _end = null;
        return offset;
    }

    internal void Begin(SerializerContext context)
    {
        _context = context;
        _textLengthMax = context.Limits.MaxStringLength;
        _budget = context.Limits.MaxGraphBytes;
    }

    /// <summary>Whether the message has no references, so that no object needs a handle.</summary>
    internal bool IsShareless { set => _isShareless = value; }

    /// <summary>Takes the bytes from the message if they come next.</summary>
    internal bool TryTake(ReadOnlySpan<byte> expected)
    {
        if (Remaining < expected.Length || !new ReadOnlySpan<byte>(_cursor, expected.Length).SequenceEqual(expected))
            return false;
        _cursor += expected.Length;
        return true;
    }

    internal void CheckEnd()
    {
        if (_cursor != _end)
            Throw.Malformed($"{Remaining} bytes follow the message.");
        Accept();
    }

    /// <summary>Accepts the whole message: finalizers of its objects may run from now on.</summary>
    internal void Accept()
    {
        if (_hasEnd)
            _deferred.Accept();
    }

    /// <summary>Ends a root: reads all deferred bodies, and completes the objects that could not be complete
    /// before.</summary>
    internal T FinishRoot<T>(T value)
    {
        _depth = 0;
        return _hasEnd ? ReadEnd(value) : value;
    }

    private T AtEnd<T>(T part)
    {
        _hasEnd = true;
        return part;
    }

    private T ReadEnd<T>(T value)
    {
        ReadDeferred();
        return _completions.HasEnd ? _completions.Finish(this, value) : value;
    }

    private void ReadDeferred()
    {
        while (_deferred.TryTake(out var serializer, out var instance))
        {
            _depth = 1;
            serializer.ReadBody(this, instance);
        }

        _depth = 0;
        if (_completions.HasAny)
            _completions.Run(this);
    }

    internal void Reset()
    {
        _start = _cursor = _end = null;
        _types.EndMessage();
        if (_hasEnd)
        {
            _hasEnd = false;
            _deferred.Clear();
            _completions.Clear();
            _keys.Clear();
        }

        _hasReferences = false;
        _handles.Clear();
        _context = null!;
        _allowed = null!;
        _isShareless = false;
        LendFrom(default, SlimBytesMemory.Own);
        if (_skipped is not null)
            ClearSkipped();
        Trace = null;
        Imports = null;
        _depth = 0;
        _lowestReference = int.MaxValue;
    }

    private void ClearSkipped()
    {
        IsWatched = false;
        _skipped!.Clear();
    }

    [DoesNotReturn]
    private void ThrowOverBudget(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        var bytesMax = _context.Limits.MaxGraphBytes;
        Throw.Limit(nameof(SlimLimits.MaxGraphBytes), bytesMax, bytesMax - _budget + bytes);
    }
}

/// <summary>The state of a reader before it read a part of the graph. It shows afterwards whether all objects that the
/// part reaches are complete: none of them waits, and no reference leads to an earlier object, which may contain the
/// part.</summary>
/// <param name="ObjectCount">The objects that had a handle.</param>
/// <param name="LowestReference">The lowest handle that the surrounding part refers to.</param>
/// <param name="WaitingCount">The bodies and completions that had been deferred so far.</param>
internal readonly record struct PartMark(int ObjectCount, int LowestReference, int WaitingCount);
