namespace Cluster.Buffers.Extents;

/// <summary>Contiguous memory for a buffer or a slab of small ones. An immutable value.</summary>
/// <param name="Address">The start.</param>
/// <param name="Bytes">The bytes that it takes of the budget: the requested bytes, rounded up.</param>
/// <param name="Dirty">Parts, counted from the start, that may not be zero; the rest is zero.</param>
internal readonly record struct Extent(nint Address, long Bytes, Interval[] Dirty);
