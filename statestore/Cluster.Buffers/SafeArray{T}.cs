using Cluster.Pile;

namespace Cluster.Buffers;

/// <summary>An array of up to 2^31 - 1 elements in native memory, outside the garbage collector, which owns it until it
/// is disposed. Bounds and lifetime are checked on every use; a span is checked once, when it is made. Thread-safe in
/// its own state; elements are not synchronised.</summary>
/// <typeparam name="T">The type of the elements, without references at any depth.</typeparam>
public sealed class SafeArray<T> : BufferArray<T>
    where T : unmanaged
{
    private BufferMemory<T>? _memory;

    /// <summary>Makes an array.</summary>
    /// <param name="length">How many elements.</param>
    /// <param name="fill">What they are at first.</param>
    /// <param name="pile">Whose budget it counts against; null for <see cref="BufferBudget.Process"/>.</param>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
    public SafeArray(int length, BufferFill fill = BufferFill.Zeroed, LocalPile? pile = null)
        : base(PileBuffer.HeapOf(pile), length, fill)
    {
    }

    /// <summary>Makes an array that holds a copy of the values.</summary>
    /// <param name="values">The values.</param>
    /// <param name="pile">Whose budget it counts against; null for <see cref="BufferBudget.Process"/>.</param>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
    public SafeArray(ReadOnlySpan<T> values, LocalPile? pile = null)
        : this(values.Length, BufferFill.Uninitialized, pile) => values.CopyTo(AsSpan());

    internal SafeArray(BufferHeap heap, int length, BufferFill fill)
        : base(heap, length, fill)
    {
    }

    /// <summary>How many elements the array has, also when it was disposed.</summary>
    public int Length => (int)LongLength;

    /// <summary>One element, checked; a loop is faster over <see cref="AsSpan()"/>, which checks once.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    public ref T this[int index] => ref Access.ElementUnchecked<T>(index);

    /// <summary>All elements.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public Span<T> AsSpan() => Access.SpanUnchecked<T>(0, Length);

    /// <summary>The elements from one on.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The start is not in the array nor its end.</exception>
    public Span<T> AsSpan(int start) => Access.SpanUnchecked<T>(start, Length - start);

    /// <summary>Some elements.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">They are not all in the array.</exception>
    public Span<T> AsSpan(int start, int count) => Access.SpanUnchecked<T>(start, count);

    /// <summary>Some elements, as in <c>array[2..^1]</c>.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">They are not all in the array.</exception>
    public Span<T> this[Range range]
    {
        get
        {
            var (start, count) = range.GetOffsetAndLength(Length);
            return AsSpan(start, count);
        }
    }

    /// <summary>All elements, for code that awaits. Each use of the result checks the lifetime, and the result keeps
    /// the array from being collected.</summary>
    /// <exception cref="InvalidPileBufferException">The array was disposed.</exception>
    public Memory<T> AsMemory() => (_memory ??= new BufferMemory<T>(Buffer, 0, Length, this)).Memory;

    /// <summary>Copies values to the start of the array.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentException">They are more than the array holds; nothing was copied.</exception>
    public void CopyFrom(ReadOnlySpan<T> source) => source.CopyTo(AsSpan());

    /// <summary>Copies all elements.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    /// <exception cref="ArgumentException">The destination is shorter; nothing was copied.</exception>
    public void CopyTo(Span<T> destination) => AsSpan().CopyTo(destination);

    /// <summary>All elements as a new managed array.</summary>
    /// <exception cref="ObjectDisposedException">The array was disposed.</exception>
    public T[] ToArray() => AsSpan().ToArray();
}
