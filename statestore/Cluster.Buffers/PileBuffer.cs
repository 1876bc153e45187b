using Cluster.Buffers.Extents;
using Cluster.Pile;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers;

/// <summary>Makes buffers. Stateless.</summary>
public static class PileBuffer
{
    // The largest address of a process.
    private const long BytesMax = 1L << 47;

    /// <summary>Makes a buffer that lives until <see cref="PileBuffer{T}.Free"/>.</summary>
    /// <typeparam name="T">A type without references, at any depth.</typeparam>
    /// <param name="length">How many elements.</param>
    /// <param name="fill">What they are at first.</param>
    /// <param name="pile">Whose budget it counts against; null for <see cref="BufferBudget.Process"/>.</param>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative or above what a process can
    /// address.</exception>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
    public static PileBuffer<T> Create<T>(
        long length, BufferFill fill = BufferFill.Zeroed, LocalPile? pile = null)
        where T : unmanaged => Create<T>(HeapOf(pile), length, fill);

    internal static PileBuffer<T> Create<T>(BufferHeap heap, long length, BufferFill fill)
        where T : unmanaged
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, BytesMax / PileBuffer<T>.ElementBytes);
        if (fill is not (BufferFill.Zeroed or BufferFill.Uninitialized))
            throw new ArgumentOutOfRangeException(nameof(fill), fill, "Zeroed or Uninitialized is expected.");
        return new PileBuffer<T>(heap.Create(length * PileBuffer<T>.ElementBytes, fill));
    }

    internal static BufferHeap HeapOf(LocalPile? pile) =>
        pile is null ? BufferBudget.Process.Heap : PileMemory.Of(pile).Tenant(CreateHeap);

    private static BufferHeap CreateHeap(PileMemory memory) =>
        new(memory.Name, new PileExtents(memory), BufferBudget.Process.Watch);
}

/// <summary>What the elements of a new buffer are.</summary>
public enum BufferFill
{
    /// <summary>All bytes are zero. Memory that was used before is cleared first, about 30 ms for 1 GiB.</summary>
    Zeroed = 0,

    /// <summary>The bytes are whatever the memory held before: zeros, or what an earlier buffer of this process left
    /// there. Creation takes the same time for any size.</summary>
    Uninitialized = 1,
}
