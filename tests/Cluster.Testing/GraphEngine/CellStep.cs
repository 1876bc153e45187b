namespace Cluster.Testing.GraphEngine;

/// <summary>One iteration of the Graph Engine test: the cell that is saved, and whether it is removed at
/// once.</summary>
/// <param name="Id">The cell's id.</param>
/// <param name="Type">The cell's type.</param>
/// <param name="Fill">The value of every byte of the cell.</param>
/// <param name="Removes">Whether the cell is removed right after it was saved.</param>
public readonly record struct CellStep(long Id, ushort Type, byte Fill, bool Removes);
