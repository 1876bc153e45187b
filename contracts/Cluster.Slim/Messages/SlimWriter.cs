using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Hosting;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Messages;

/// <summary>Writes one message at a time, into memory of the output where that gives an array and otherwise into its
/// own buffer, and hands the message over when it is complete. User codecs write through it. Pooled by the serializer;
/// used by one thread at a time. A class and not a ref struct, so that message writers and sessions can hold it across
/// calls.</summary>
public sealed class SlimWriter
{
    internal const int VisibleBytesMax = 64 * 1024;
    private const int BufferBytesMin = 4096;

    // Below this size a second copy costs less than asking the output for more memory.
    private const int BorrowedBytesMin = 2048;

    private readonly IdentityTable _identity = new();
    private readonly OpenHeads _openHeads = new();
    private readonly WriteDoubts _doubts;
    private readonly WriterTypes _types;

    // The bytes that are not handed over yet lie in the buffer from start to position, and may extend to limit. The
    // buffer is the writer's own, or it is borrowed from the output until the next call of the output.
    private byte[] _own = new byte[BufferBytesMin];
    private byte[] _buffer;
    private int _start;
    private int _position;
    private int _limit;
    private long _advanced;
    private IBufferWriter<byte>? _output;
    private SerializerContext _context = null!;
    private AdmittedTypes _allowed = null!;
    private int _textLengthMax;
    private int _depth;
    private bool _isShareless;
    private Type[]? _loneElements;
    private DeferredBodies? _deferred;
    private WriterCallbacks? _callbacks;

    /// <summary>Creates a writer of standalone messages.</summary>
    internal SlimWriter()
        : this(new WriterTypes(isSession: false))
    {
    }

    /// <summary>Creates a writer with the type table of a session, or of standalone messages.</summary>
    internal SlimWriter(WriterTypes types, bool isProof = false)
    {
        _doubts = new WriteDoubts { IsProof = isProof };
        _types = types;
        _buffer = _own;
        _limit = _own.Length;
    }

    internal SerializerContext Context => _context;
    internal SlimLimits Limits => _context.Limits;
    internal WriterTypes Types => _types;
    internal IdentityTable Identity => _identity;
    internal AdmittedTypes Allowed { get => _allowed; set => _allowed = value; }

    /// <summary>Whether a call on this thread uses the writer at present.</summary>
    internal bool IsRented { get; set; }

    internal long BytesWritten => _advanced + Held;
    internal long BytesAdvanced => _advanced;
    internal ReadOnlySpan<byte> Written => _buffer.AsSpan(_start, Held);

    /// <summary>The depth of the object or value that is being written.</summary>
    internal int Depth { get => _depth; set => _depth = value; }

    internal MemberTrace? Trace { get; set; }

    internal Hosting.ISlimReferences? References { get; set; }
    internal bool OmitsExceptionStacks { get; set; }

    internal DeferredBodies Deferred => _deferred ??= new DeferredBodies();

    internal WriterCallbacks Callbacks => _callbacks ??= new WriterCallbacks();

    internal WriteDoubts Doubts => _doubts;

    /// <summary>The cost of the keys written so far.</summary>
    internal KeyLedger Keys => _doubts.KeysAt(_context.Limits, BytesWritten);

    private int Held => _position - _start;

    /// <summary>Writes a value or an object of the declared type, keeping identity, null and run-time type.</summary>
    /// <typeparam name="T">The declared type; read it back with the same one.</typeparam>
    /// <param name="value">The value.</param>
    public void Write<T>(T value) => _allowed.FieldSerializerOf<T>().Write(this, value);

    /// <summary>Writes a count or another number that is not negative and mostly small.</summary>
    /// <param name="value">Zero or more.</param>
    public void WriteCount(int value)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        WriteVar((uint)value);
    }

    /// <summary>Writes the bytes as they are, without their count.</summary>
    /// <param name="bytes">The bytes.</param>
    public void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _limit - _position)
        {
            WriteLongBytes(bytes);
            return;
        }

        bytes.CopyTo(_buffer.AsSpan(_position));
        _position += bytes.Length;
    }

    /// <summary>Writes bytes that stay unchanged until the message is used. The output may refer to them instead of
    /// taking a copy.</summary>
    internal void WriteLent(ReadOnlyMemory<byte> bytes)
    {
        if (bytes.IsEmpty || _output is not ISlimLendingOutput output)
        {
            WriteBytes(bytes.Span);
            return;
        }

        CheckRoom(bytes.Length);
        HandOver();
        UseOwn();
        if (output.TryLend(bytes))
            _advanced += bytes.Length;
        else
            WriteBytes(bytes.Span);
    }

    /// <summary>Reserves bytes that the caller fills before it writes anything else.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int count)
    {
        var position = _position;
        if (count > _limit - position)
            return ref ReserveSlow(count);
        _position = position + count;
        return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_buffer), position);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteByte(byte value) => Reserve(1) = value;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteVar(uint value)
    {
        if (value < 0x80)
            WriteByte((byte)value);
        else
            VarNumber.WriteLong(this, value);
    }

    internal void WriteRaw<T>(T value)
        where T : unmanaged =>
        Unsafe.WriteUnaligned(ref Reserve(Unsafe.SizeOf<T>()), value);

    internal void WriteString(string? value)
    {
        if (value is null)
            WriteByte(0);
        else
            WriteText(value.AsSpan());
    }

    internal void WriteText(ReadOnlySpan<char> text)
    {
        _doubts.Charge(LongText.MemoryBytesOf(text.Length));
        if (text.Length > _textLengthMax)
            Throw.Limit(nameof(SlimLimits.MaxStringLength), _textLengthMax, text.Length);

        // One reservation for the longest header and the narrow form; the unused rest is given back.
        const int HeaderBytesMax = 5;
        if (text.Length > LongText.LengthMin)
        {
            LongText.Write(this, text);
            return;
        }

        ref var start = ref Reserve(HeaderBytesMax + text.Length);
        var header = VarNumber.Put(ref start, ((uint)text.Length << 1) + 1);
        if (ShortText.TryNarrow(text, ref Unsafe.Add(ref start, header)))
        {
            _position -= HeaderBytesMax - header;
            return;
        }

        _position -= HeaderBytesMax + text.Length;
        WriteVar(((uint)text.Length << 1) + 2);
        WriteBytes(MemoryMarshal.AsBytes(text));
    }

    /// <summary>Whether objects of the type occur only in one list or array of this message.</summary>
    internal bool AreLone(Type type) => _loneElements is { } elements && Array.IndexOf(elements, type) >= 0;

    /// <summary>Writes a back-reference if the object was met before; otherwise gives it a handle.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryWriteReference(object value) => !_isShareless && TryWriteSharedReference(value);

    private bool TryWriteSharedReference(object value)
    {
        var handle = _identity.FindOrAdd(value);
        if (handle < 0)
            return false;
        _openHeads.Check(handle, value);
        WriteVar((uint)handle + ObjectTags.ReferenceFirst);
        return true;
    }

    /// <summary>Writes the head of an object of exactly the declared type that no other place refers to.</summary>
    internal void WriteNewHandle()
    {
        WriteByte(ObjectTags.NewExact);
        if (!_isShareless)
            _identity.Skip();
    }

    /// <summary>Writes head, type and body of an object whose type the place does not imply.</summary>
    internal void WriteTyped(object value)
    {
        if (value is string text && _depth < ObjectTags.HeadDepthMax)
        {
            ref var head = ref Reserve(2);
            head = ObjectTags.NewTyped;
            Unsafe.Add(ref head, 1) = WireTypes.StringCode;
            WriteText(text);
            return;
        }

        var serializer = _allowed.SerializerOf(value);
        if (serializer.IsTracked && TryWriteReference(value))
            return;
        WriteTypedHead(serializer);
        WriteNew(serializer, value);
    }

    /// <summary>Writes a type as a value; it must be on the closed list.</summary>
    internal void WriteType(Type type) => _types.WriteReference(this, SerializerOf(type));

    /// <summary>Writes the head of a value that no place refers to; it takes a handle.</summary>
    internal void WriteValueHead(TypeSerializer serializer)
    {
        WriteTypedHead(serializer);
        _identity.Skip();
        _depth++;
    }

    /// <summary>Writes a plain object of exactly the type of its place, or a reference to it.</summary>
    internal void WriteExact(TypeSerializer serializer, object value)
    {
        if (TryWriteReference(value))
            return;
        WriteByte(ObjectTags.NewExact);
        WriteNew(serializer, value);
    }

    /// <summary>Writes creation head and body; a body beyond the depth limit is deferred.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteNew(TypeSerializer serializer, object value)
    {
        _doubts.Charge(serializer.ForeseenBytes);
        var depth = _depth;
        if (!serializer.IsPlain || depth >= ObjectTags.DepthMax)
        {
            _openHeads.WriteSpecial(this, serializer, value);
            return;
        }

        _depth = depth + 1;
        serializer.WriteWhole(this, value);
        _depth = depth;
    }

    internal TypeSerializer SerializerOf(Type type) => _allowed.SerializerOf(type);

    /// <summary>Begins a message. Memory of the output is not borrowed yet, because its owner may use it before the
    /// message goes on.</summary>
    internal void Start(SerializerContext context, IBufferWriter<byte>? output)
    {
        _context = context;
        _output = output;
        _textLengthMax = context.Limits.MaxStringLength;
        _doubts.Begin(context.Limits);
        if (output is not null)
            _limit = BufferBytesMin;
    }

    /// <summary>Takes memory of the output, if there is one.</summary>
    internal void BorrowOutput()
    {
        if (_output is not null)
            TryBorrow(0);
    }

    /// <summary>Gives back the last bytes that were reserved.</summary>
    internal void GiveBack(int count) => _position -= count;

    /// <summary>Notes that no object of the message is shared, or that objects of these types are not.</summary>
    internal void Share(bool isShareless, Type[]? loneElements)
    {
        _isShareless = isShareless;
        _loneElements = loneElements;
    }

    /// <summary>Writes all deferred bodies.</summary>
    internal void WriteWaiting()
    {
        if (_deferred is { HasBodies: true })
            _deferred.WriteAll(this);
    }

    /// <summary>Writes the head and the type of a root or of an object whose place does not imply them.</summary>
    internal void WriteTypedHead(TypeSerializer serializer)
    {
        WriteByte(ObjectTags.NewTyped);
        _types.WriteReference(this, serializer);
    }

    /// <summary>Ends a message, and hands it over if there is an output.</summary>
    internal void Finish()
    {
        _callbacks?.RunSerialized(this);
        CheckRoom(0);
        if (_doubts.MayExist)
            _doubts.CheckTogether(this);
        if (_output is not null)
            HandOver();
    }

    /// <summary>Forgets the message, so that the writer holds no references and is ready for the next one.</summary>
    internal void Reset()
    {
        _identity.Clear();
        _openHeads.Clear();
        _doubts.Clear();
        _deferred?.Clear();
        _callbacks?.Clear();
        _types.EndMessage();
        _output = null;
        _context = null!;
        _allowed = null!;
        _isShareless = false;
        _loneElements = null;
        Trace = null;
        References = null;
        OmitsExceptionStacks = false;
        _advanced = 0;
        _depth = 0;
        if (_own.Length > 2 * VisibleBytesMax)
            _own = new byte[BufferBytesMin];
        UseOwn();
    }

    // A long run is written in pieces: the first pieces may be handed over before the last ones are read, and no buffer
    // needs to hold it whole.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteLongBytes(ReadOnlySpan<byte> bytes)
    {
        CheckRoom(bytes.Length);
        while (!bytes.IsEmpty)
        {
            var free = _limit - _position;
            if (free == 0 || (free < bytes.Length && Held + free < VisibleBytesMax))
                Grow(_output is null ? bytes.Length : Math.Min(bytes.Length, VisibleBytesMax));
            var count = Math.Min(bytes.Length, _limit - _position);
            bytes[..count].CopyTo(_buffer.AsSpan(_position));
            _position += count;
            bytes = bytes[count..];
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ref byte ReserveSlow(int count)
    {
        Grow(count);
        ref var start = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_buffer), _position);
        _position += count;
        return ref start;
    }

    private void Grow(int count)
    {
        CheckRoom(count);
        if (_output is not null && Held >= VisibleBytesMax)
        {
            HandOver();
            UseOwn();
            if (TryBorrow(count))
                return;
        }

        var held = Held;
        var needed = checked(held + count);

        // Asks for exactly the needed bytes, because the output may have no more; and only if few bytes are moved for
        // it.
        var isBorrowing = _output is not null && count >= Math.Max(held, BorrowedBytesMin);
        MoveToOwn(isBorrowing ? held : needed);
        if (!isBorrowing)
            return;
        if (TryBorrow(needed))
            _own.AsSpan(0, held).CopyTo(_buffer.AsSpan(_start));
        else
            MoveToOwn(needed);
        _position = _start + held;
    }

    private void MoveToOwn(int capacity)
    {
        var held = Written;
        if (capacity > _own.Length)
            _own = new byte[(int)Math.Min(Math.Max(_own.Length * 2L, capacity), Array.MaxLength)];
        held.CopyTo(_own);
        UseOwn();
        _position = held.Length;

        // A long message goes into memory of the output, however large the own buffer has become.
        if (_output is not null && capacity <= BufferBytesMin)
            _limit = BufferBytesMin;
    }

    // Memory that was borrowed before belongs to the output again.
    private bool TryBorrow(int count)
    {
        if (!MemoryMarshal.TryGetArray(_output!.GetMemory(count), out ArraySegment<byte> room))
            return false;
        _buffer = room.Array!;
        _start = _position = room.Offset;
        _limit = room.Offset + room.Count;
        return true;
    }

    private void UseOwn()
    {
        if (!ReferenceEquals(_buffer, _own))
            _buffer = _own;
        _start = _position = 0;
        _limit = _own.Length;
    }

    // Borrowed memory belongs to the output again: the next write takes other memory first.
    private void HandOver()
    {
        var held = Held;
        if (ReferenceEquals(_buffer, _own))
            _output!.Write(Written);
        else
            _output!.Advance(held);
        _advanced += held;
        _start = _position;
    }

    /// <summary>Refuses more bytes than a message may have.</summary>
    internal void CheckRoom(long count)
    {
        if (BytesWritten + count > _context.Limits.MaxMessageBytes)
            _context.CheckMessageBytes(BytesWritten + count);
    }
}
