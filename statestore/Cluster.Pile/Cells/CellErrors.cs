namespace Cluster.Pile.Cells;

/// <summary>The exceptions of tables of cells, kept out of the hot methods so that those stay small.
/// Stateless.</summary>
internal static class CellErrors
{
    [DoesNotReturn]
    public static void HoldsOtherCell(long wanted, CellLock held) =>
        throw new PileBusyException(
            $"Cell {wanted} cannot be used: this same thread has cell {held.Id} of table {held.Table.Name} in use, "
            + $"taken at {held.Owners[0].File}:{held.Owners[0].Line}; threads could wait for each other in a circle. "
            + $"Dispose that accessor before, or take both with {nameof(CellTable.UseMany)}.");

    [DoesNotReturn]
    public static void CellHeld(string table, long id, TimeSpan waited) =>
        throw new PileBusyException(
            $"Cell {id} of table {table} was in use by another thread for {nameof(PileOptions)}."
            + $"{nameof(PileOptions.PinWait)}, {waited}; dispose accessors sooner, raise that option, or try again.");

    [DoesNotReturn]
    public static void AccessorDisposed() =>
        throw new ObjectDisposedException(nameof(CellAccessor), "The accessor was disposed, or never had a cell.");

    public static void IfNoCellLength(int length)
    {
        if ((uint)length > CellValue.LengthMax)
        {
            throw new ArgumentOutOfRangeException(
                nameof(length), length, $"A cell has from 0 to {CellValue.LengthMax:N0} bytes.");
        }
    }

    [DoesNotReturn]
    public static void CellDestinationTooSmall(int needed, int found) =>
        throw new ArgumentException(
            $"The cell has {needed} bytes and the destination only {found}; TryLoad into a new array takes them all.");
}
