using Cluster.Buffers.Arithmetic;
using Cluster.Buffers.Errors;
using Cluster.Buffers.Handles;
using Cluster.Pile;

namespace Cluster.Buffers;

/// <summary>What <see cref="SafeArray{T}"/> and <see cref="HugeArray{T}"/> share: they own a buffer in native memory
/// until they are disposed. Thread-safe in its own state; elements are not synchronised.</summary>
/// <remarks>A span does not keep its array from being collected. So an array that is collected without having been
/// disposed keeps its memory, and its budget goes on counting it: code that has a span or the <see cref="Buffer"/> may
/// still use it. It is reported by <see cref="BufferBudget.RecentLeaks"/>. Dispose the array, in a <c>using</c>, after
/// the last use of a span.</remarks>
/// <typeparam name="T">The type of the elements, without references at any depth.</typeparam>
public abstract class BufferArray<T> : IDisposable
    where T : unmanaged
{
    private readonly BufferAccess _access;

    private protected BufferArray(BufferHeap heap, long length, BufferFill fill)
    {
        var handle = PileBuffer.Create<T>(heap, length, fill).Handle;

        // The pile may have been disposed of since.
        if (!BufferTable.TryFind(handle, out _access))
            BufferErrors.BudgetDisposed(heap.Name);
    }

    /// <summary>Reports an array that was not disposed of. Its memory stays, because a span of it may be in
    /// use.</summary>
    ~BufferArray()
    {
        if (_access.Handle != 0)
            BufferHeap.ReportForgotten(_access.Handle);
    }

    /// <summary>How many elements the array has, also when it was disposed.</summary>
    public long LongLength => _access.Count<T>();

    /// <summary>Whether the array was disposed, or the pile that its memory is of.</summary>
    public bool IsDisposed => !_access.IsLive;

    /// <summary>The handle of the memory, to be kept in structs. It does not keep the array from being disposed or
    /// collected.</summary>
    public PileBuffer<T> Buffer => new(_access.Handle);

    private protected ref readonly BufferAccess Access
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if (!_access.IsLive)
                BufferErrors.ArrayDisposed(GetType());
            return ref _access;
        }
    }

    /// <summary>Takes a lease: the array cannot be disposed until <see cref="Release"/>, once for each lease. The end
    /// of its pile ends it all the same.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    public void Retain() => Buffer.Retain();

    /// <summary>Gives a lease back.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed, or has no lease.</exception>
    public void Release() => Buffer.Release();

    /// <summary>Gives the address of an element to native code. The array has a lease until the result is
    /// disposed.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public MemoryHandle Pin(long index = 0) => BufferMemory<T>.Pin(Buffer, index, this);

    /// <summary>Makes all elements the value.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public void Fill(T value) => Elementwise.Fill(this, value);

    /// <summary>Writes all elements to a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    public void WriteTo(Stream destination)
    {
        Buffer.WriteTo(destination);
        GC.KeepAlive(this);
    }

    /// <summary>Writes all elements to a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    public Task WriteToAsync(Stream destination, CancellationToken cancellationToken = default) =>
        Buffer.WriteToAsync(destination, cancellationToken);

    /// <summary>Reads all elements from a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    /// <exception cref="EndOfStreamException">The stream has fewer bytes; some elements may be read.</exception>
    public void ReadFrom(Stream source)
    {
        Buffer.ReadFrom(source);
        GC.KeepAlive(this);
    }

    /// <summary>Reads all elements from a stream, as they lie in memory.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    /// <exception cref="EndOfStreamException">The stream has fewer bytes; some elements may be read.</exception>
    public Task ReadFromAsync(Stream source, CancellationToken cancellationToken = default) =>
        Buffer.ReadFromAsync(source, cancellationToken);

    /// <summary>Ends the array and gives its memory back; later uses throw. Calling it again does nothing.</summary>
    /// <exception cref="PileBusyException">The array has leases or pins; nothing was changed.</exception>
    public void Dispose()
    {
        BufferHeap.Free(_access.Handle);
        GC.SuppressFinalize(this);
    }

    /// <summary>The whole array in spans of at most the given count, for a walk over an array of any length.</summary>
    internal BufferChunks<T> Chunks(int countMax = BufferChunks<T>.CountDefault) => new(Access, countMax);

    /// <summary>The elements from an index on, at most the given count; checks the lifetime.</summary>
    internal Span<T> Part(long start, int countMax)
    {
        ref readonly var access = ref Access;
        return access.SpanUnchecked<T>(start, (int)Math.Min(countMax, access.Count<T>() - start));
    }

    /// <summary>Throws when the array was disposed of.</summary>
    internal void CheckLive() => _ = Access;
}
