namespace Cluster.Pile.Cells;

/// <summary>The call that took an accessor which was never disposed. Immutable.</summary>
/// <param name="Table">The name of the table.</param>
/// <param name="Id">The cell.</param>
/// <param name="File">The source file with the call.</param>
/// <param name="Line">The line of that call.</param>
public sealed record CellAccessorOrigin(string Table, long Id, string File, int Line);
