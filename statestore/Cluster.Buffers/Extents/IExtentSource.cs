using Cluster.Pile;

namespace Cluster.Buffers.Extents;

/// <summary>The border between buffers and a budget: the process-wide one, or that of a pile. Implementations are
/// thread-safe.</summary>
internal interface IExtentSource
{
    /// <summary>Bytes of the budget that extents take now, rounding included.</summary>
    long TakenBytes { get; }

    /// <summary>Takes memory with the given alignment, up to 64 KiB.</summary>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    Extent Take(long bytes, long alignment);

    /// <summary>Gives back memory that <see cref="Take"/> returned for the same number of bytes.</summary>
    void Return(nint address, long bytes);
}

/// <summary>Contiguous memory for a buffer or a slab of small ones. An immutable value.</summary>
/// <param name="Address">The start.</param>
/// <param name="Bytes">The bytes that it takes of the budget: the requested bytes, rounded up.</param>
/// <param name="Dirty">Parts, counted from the start, that may not be zero; the rest is zero.</param>
internal readonly record struct Extent(nint Address, long Bytes, Interval[] Dirty);
