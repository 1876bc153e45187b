namespace Cluster.Pile.Hosting;

/// <summary>Contiguous blocks that a pile has given to a tenant. An immutable value.</summary>
/// <param name="Address">Where the first block starts.</param>
/// <param name="Bytes">What the blocks take of the budget: what was asked for, rounded up.</param>
/// <param name="DirtyBytes">How many bytes from the start on may not be zero; the rest is.</param>
public readonly record struct PileBlocks(nint Address, long Bytes, long DirtyBytes);
