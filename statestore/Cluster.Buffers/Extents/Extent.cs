namespace Cluster.Buffers.Extents;

/// <summary>Contiguous memory for a buffer or a slab of small ones. An immutable value.</summary>
/// <param name="Address">Where it starts.</param>
/// <param name="Bytes">What it takes of the budget: what was asked for, rounded up.</param>
/// <param name="Dirty">Parts, counted from the start, that may not be zero; the rest is.</param>
internal readonly record struct Extent(nint Address, long Bytes, Interval[] Dirty);
