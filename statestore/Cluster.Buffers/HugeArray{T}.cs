using Cluster.Pile;

namespace Cluster.Buffers;

/// <summary>An array of any length in native memory, outside the garbage collector: contiguous, with 64-bit indexes.
/// Owns it until it is disposed. Bounds and lifetime are checked on every use; a span is checked once, when it is made.
/// Thread-safe in its own state; elements are not synchronised.</summary>
/// <remarks>The whole length counts against the budget, but elements that were never touched take no memory of the
/// system, as long as the array is not made from memory that earlier buffers have touched.</remarks>
/// <typeparam name="T">The type of the elements, without references at any depth.</typeparam>
public sealed class HugeArray<T> : BufferArray<T>
    where T : unmanaged
{
    /// <summary>Makes an array.</summary>
    /// <param name="length">How many elements.</param>
    /// <param name="fill">What they are at first.</param>
    /// <param name="pile">Whose budget it counts against; null for <see cref="BufferBudget.Process"/>.</param>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative or above what a process can
    /// address.</exception>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
    public HugeArray(long length, BufferFill fill = BufferFill.Zeroed, LocalPile? pile = null)
        : base(PileBuffer.HeapOf(pile), length, fill)
    {
    }

    internal HugeArray(BufferHeap heap, long length, BufferFill fill)
        : base(heap, length, fill)
    {
    }

    /// <summary>How many elements the array has, also when it was disposed.</summary>
    public long Length => LongLength;

    /// <summary>One element, checked; a loop is faster over spans, which are checked once.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public ref T this[long index] => ref Access.ElementUnchecked<T>(index);

    /// <summary>Some elements; a span holds at most 2^31 - 1.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">They are not all in the array.</exception>
    public Span<T> AsSpan(long start, int count) => Access.SpanUnchecked<T>(start, count);

    /// <summary>Some elements, for code that awaits. Each use of the result checks the lifetime, and the result keeps
    /// the array from being collected.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">They are not all in the array.</exception>
    public Memory<T> AsMemory(long start, int count) => new BufferMemory<T>(Buffer, start, count, this).Memory;

    /// <summary>Copies values into the array.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">They do not all fit; nothing was copied.</exception>
    public void CopyFrom(long start, ReadOnlySpan<T> source) => source.CopyTo(AsSpan(start, source.Length));

    /// <summary>Copies elements, as many as the destination holds.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The array has fewer from there; nothing was copied.</exception>
    public void CopyTo(long start, Span<T> destination) => AsSpan(start, destination.Length).CopyTo(destination);
}
