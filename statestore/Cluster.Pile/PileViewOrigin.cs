namespace Cluster.Pile;

/// <summary>Where a view was taken that nobody disposed. Immutable.</summary>
/// <param name="Pointer">The object that it lay on.</param>
/// <param name="File">The source file with the call of <see cref="LocalPile.OpenView"/>.</param>
/// <param name="Line">The line of that call.</param>
public sealed record PileViewOrigin(PilePointer Pointer, string File, int Line);
