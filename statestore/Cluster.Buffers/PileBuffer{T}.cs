using Cluster.Buffers.Errors;
using Cluster.Buffers.Handles;
using Cluster.Pile;

namespace Cluster.Buffers;

/// <summary>The 8-byte handle of a buffer in native memory, outside the garbage collector. An immutable value without
/// references, so it can be a field of any struct, also of elements of other buffers. Copies name the same buffer.
/// Thread-safe in its own state; elements are not synchronised.</summary>
/// <remarks>
/// <para>Every use checks whether the buffer lives, and a handle of a freed buffer is always refused, also when its
/// memory and its place in the table belong to another buffer by now. Spans are checked once, when they are made: one
/// that is kept until after the buffer was freed reads and writes whatever is there then, but never faults. Who
/// cannot know that nobody frees meanwhile takes a lease by <see cref="Retain"/>.</para>
/// <code>
/// bits 28..63  generation (36)  counts the lives of an entry in the table of buffers
/// bits  0..27  index      (28)  the entry
/// </code>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public readonly struct PileBuffer<T> : IEquatable<PileBuffer<T>>
    where T : unmanaged
{
    private readonly ulong _handle;

    internal PileBuffer(ulong handle) => _handle = handle;

    /// <summary>Whether this is <c>default</c>, which never names a buffer.</summary>
    public bool IsDefault => _handle == 0;

    /// <summary>Whether the buffer lives now.</summary>
    public bool IsLive => BufferTable.TryFind(_handle, out _);

    /// <summary>How many elements the buffer has.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    public long Length => Find().Count<T>();

    internal static int ElementBytes => Unsafe.SizeOf<T>();

    internal ulong Handle => _handle;

    /// <summary>One element, checked; a loop is faster over <see cref="AsSpan()"/>, which checks once.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public ref T this[long index] => ref Find().ElementUnchecked<T>(index);

    /// <summary>All elements.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="OverflowException">There are more than a span can hold, 2^31 - 1; take parts.</exception>
    public Span<T> AsSpan()
    {
        var access = Find();
        return access.SpanUnchecked<T>(0, checked((int)access.Count<T>()));
    }

    /// <summary>Some elements.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="ArgumentOutOfRangeException">They are not all in the buffer.</exception>
    public Span<T> AsSpan(long start, int count) => Find().SpanUnchecked<T>(start, count);

    /// <summary>All elements, for code that awaits. Each use of the result checks the lifetime.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="OverflowException">There are more than a span can hold, 2^31 - 1; take parts.</exception>
    public Memory<T> AsMemory() => AsMemory(0, checked((int)Length));

    /// <summary>Some elements, for code that awaits. Each use of the result checks the lifetime.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="ArgumentOutOfRangeException">They are not all in the buffer.</exception>
    public Memory<T> AsMemory(long start, int count) => new BufferMemory<T>(this, start, count, owner: null).Memory;

    /// <summary>Takes a lease: the buffer cannot be freed until <see cref="Release"/>, once for each lease. The end of
    /// its pile ends it all the same.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    public void Retain() => BufferHeap.Retain(_handle);

    /// <summary>Gives a lease back.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more), or has no lease.</exception>
    public void Release() => BufferHeap.Release(_handle);

    /// <summary>Gives the address of an element to native code. The buffer has a lease until the result is
    /// disposed.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public MemoryHandle Pin(long index = 0) => BufferMemory<T>.Pin(this, index, owner: null);

    /// <summary>Ends the buffer and gives its memory back; false when it was freed before. All handles of it are
    /// refused from now on.</summary>
    /// <exception cref="PileBusyException">The buffer has leases or pins; nothing was changed.</exception>
    public bool Free() => BufferHeap.Free(_handle);

    /// <summary>Writes all elements to a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    public void WriteTo(Stream destination) => BufferStreams.Write(AsBytes(), destination);

    /// <summary>Writes all elements to a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    public Task WriteToAsync(Stream destination, CancellationToken cancellationToken = default) =>
        BufferStreams.WriteAsync(AsBytes(), destination, cancellationToken);

    /// <summary>Reads all elements from a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="EndOfStreamException">The stream has fewer bytes; some elements may be read.</exception>
    public void ReadFrom(Stream source) => BufferStreams.Read(AsBytes(), source);

    /// <summary>Reads all elements from a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The buffer does not live (any more).</exception>
    /// <exception cref="EndOfStreamException">The stream has fewer bytes; some elements may be read.</exception>
    public Task ReadFromAsync(Stream source, CancellationToken cancellationToken = default) =>
        BufferStreams.ReadAsync(AsBytes(), source, cancellationToken);

    /// <inheritdoc/>
    public bool Equals(PileBuffer<T> other) => _handle == other._handle;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PileBuffer<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _handle.GetHashCode();

    /// <summary>Whether both name the same buffer.</summary>
    public static bool operator ==(PileBuffer<T> left, PileBuffer<T> right) => left.Equals(right);

    /// <summary>Whether they do not name the same buffer.</summary>
    public static bool operator !=(PileBuffer<T> left, PileBuffer<T> right) => !left.Equals(right);

    /// <summary>Generation and index in hexadecimal.</summary>
    public override string ToString() =>
        $"{_handle >> BufferWord.GenerationShift:x9}:{_handle & BufferWord.IndexMask:x7}";

    internal BufferAccess Find()
    {
        if (!BufferTable.TryFind(_handle, out var access))
            BufferErrors.InvalidBuffer(_handle);
        return access;
    }

    private PileBuffer<byte> AsBytes() => new(_handle);
}
