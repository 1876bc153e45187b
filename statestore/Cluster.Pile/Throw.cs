using System.Diagnostics.CodeAnalysis;
using Cluster.Pile.Caching;
using Cluster.Pile.Cells;
using Cluster.Pile.Slots;
using Cluster.Pile.Views;

namespace Cluster.Pile;

/// <summary>
/// The exceptions of the pile by what went wrong, kept out of the hot methods so that those stay small. Stateless.
/// </summary>
internal static class Throw
{
    [DoesNotReturn]
    public static void OutsideWindow(long offset, long length, long windowLength)
        => throw new InvalidOperationException(
            $"Bug in the pile: bytes {offset}..{offset + length} are outside its range of {windowLength} bytes.");

    [DoesNotReturn]
    public static void InvariantBroken(string fact)
        => throw new InvalidOperationException($"Bug in the pile: an invariant does not hold. {fact}");

    [DoesNotReturn]
    public static void InvalidPointer(PilePointer pointer) => throw new InvalidPilePointerException(pointer);

    [DoesNotReturn]
    public static void InvalidPointer(ReadOnlySpan<PilePointer> pointers, int index)
        => throw new InvalidPilePointerException(pointers[index], index);

    [DoesNotReturn]
    public static void PileNotOpen(PilePointer pointer)
        => throw new InvalidPilePointerException(
            pointer, "The handle names no pile that is open in this process; its pile was disposed, or the handle is "
                + "default or of another process.");

    [DoesNotReturn]
    public static void TooFewPlaces(int needed, int found)
        => throw new ArgumentException($"There are {needed} pointers and only {found} places for what they give.");

    [DoesNotReturn]
    public static void DestinationTooSmall(int needed, int found)
        => throw new ArgumentException(
            $"The object has {needed} bytes and the destination only {found}; SizeOf tells the size.");

    [DoesNotReturn]
    public static void UnderOwnView(OpenView own)
        => throw new PileBusyException(
            $"The object {own.Pointer} is under a view of this same thread, taken at {own.File}:{own.Line}; waiting "
            + "would never end. Dispose that view before the change.",
            own.Pointer);

    [DoesNotReturn]
    public static void UnderViews(PilePointer pointer, TimeSpan waited)
        => throw new PileBusyException(
            (pointer.IsDefault ? "Objects of the pile were" : $"The object {pointer} was")
            + $" under views of other threads for {nameof(PileOptions)}.{nameof(PileOptions.PinWait)}, {waited}; "
            + "dispose views sooner, raise that option, or try again.",
            pointer);

    [DoesNotReturn]
    public static void Disposed() => throw new ObjectDisposedException(nameof(LocalPile));

    [DoesNotReturn]
    public static void WrongKind(PayloadKind stored, Type asked)
        => throw new InvalidCastException(
            $"The object was stored as {Describe(stored)}; it cannot be read as {asked}.");

    [DoesNotReturn]
    public static void WrongType(Type stored, Type asked)
        => throw new InvalidCastException($"The object is a {stored}; it cannot be got as {asked}.");

    [DoesNotReturn]
    public static void OutsideBuffer(long index, long length)
        => throw new ArgumentOutOfRangeException(
            nameof(index), index, $"The buffer has {length:N0} elements; the index must be from 0 and below that.");

    [DoesNotReturn]
    public static void OutsideBuffer(long start, long count, long length)
        => throw new ArgumentOutOfRangeException(
            nameof(start),
            start,
            $"The buffer has {length:N0} elements; {count:N0} from {start:N0} on are not all in it.");

    [DoesNotReturn]
    public static void InvalidBuffer(ulong handle)
        => throw new InvalidPileBufferException(
            $"The handle {handle:x16} names no live buffer; the buffer was freed, its pile was disposed, or there "
            + "never was one.");

    [DoesNotReturn]
    public static void NotLeased(ulong handle)
        => throw new InvalidPileBufferException(
            $"The buffer {handle:x16} has no lease to release; every Retain allows one Release.");

    [DoesNotReturn]
    public static void BufferLeased(ulong handle)
        => throw new PileBusyException(
            $"The buffer {handle:x16} has live leases or pins and was not freed; release them first.");

    [DoesNotReturn]
    public static void TooManyLeases()
        => throw new PileBusyException("A buffer has at most 67,108,863 leases at a time; release some.");

    [DoesNotReturn]
    public static void ArrayDisposed(Type array)
        => throw new ObjectDisposedException(array.Name, "The array was disposed, or the pile that its memory is of.");

    [DoesNotReturn]
    public static void LengthsDiffer(long left, long right)
        => throw new ArgumentException(
            $"The arrays of one operation need the same length; {left:N0} and {right:N0} elements were found.");

    [DoesNotReturn]
    public static void NoElements()
        => throw new ArgumentException("The array has no elements, so it has neither a least nor a greatest one.");

    [DoesNotReturn]
    public static void LifeSpanOutOfRange(TimeSpan? lifeSpan)
        => throw new ArgumentOutOfRangeException(
            nameof(lifeSpan),
            lifeSpan,
            $"{nameof(PutHints)}.{nameof(PutHints.LifeSpan)} goes from {PutHints.LifeSpanMin} "
                + $"to {PutHints.LifeSpanMax}; {nameof(Timeout)}.{nameof(Timeout.InfiniteTimeSpan)} means no end.");

    [DoesNotReturn]
    public static void KeyTooLong(Type key, int bytesMax)
        => throw new ArgumentException(
            $"A key of type {key} has more than {bytesMax:N0} bytes, the most a key may have.");

    [DoesNotReturn]
    public static void PriorityOutOfRange(int priority, int priorityMax)
        => throw new ArgumentOutOfRangeException(
            nameof(priority), priority, $"The priority of an entry goes from 0 to {priorityMax}.");

    [DoesNotReturn]
    public static void BytesMaxOutOfRange(long? bytesMax, long bytesMaxMin)
        => throw new ArgumentOutOfRangeException(
            nameof(bytesMax),
            bytesMax,
            $"A table may take {bytesMaxMin:N0} bytes or more; null means what the pile has.");

    [DoesNotReturn]
    public static void MaxAgeOutOfRange(TimeSpan? maxAge)
        => throw new ArgumentOutOfRangeException(
            nameof(maxAge),
            maxAge,
            $"The maximal age of an entry goes from {CacheTableOptions.AgeMin} to {CacheTableOptions.AgeMax}; "
                + $"{nameof(Timeout)}.{nameof(Timeout.InfiniteTimeSpan)} means no end.");

    [DoesNotReturn]
    public static void ExpirationTooFar(DateTimeOffset absoluteExpiration, TimeSpan ahead)
        => throw new ArgumentOutOfRangeException(
            nameof(absoluteExpiration),
            absoluteExpiration,
            $"An absolute expiration lies at most {ahead} ahead; null means no end.");

    [DoesNotReturn]
    public static void AgeIsNotTracked()
        => throw new InvalidOperationException(
            $"A read asks for the age of entries, which this table does not keep; set "
            + $"{nameof(CacheTableOptions)}.{nameof(CacheTableOptions.TracksAge)} when it is made.");

    [DoesNotReturn]
    public static void NotATableOfBytes(string name, Type value)
        => throw new InvalidOperationException(
            $"Bytes were put into the table '{name}', whose values are {value}; only tables of byte[] take them.");

    [DoesNotReturn]
    public static void OtherTable(string name, string what, object found, object asked)
        => throw new InvalidOperationException(
            $"There is a table '{name}' with other {what}: it has {found}, asked for was {asked}. Ask for it as it was "
            + "made, or give the new one another name.");

    [DoesNotReturn]
    public static void LoadWaitsForItself()
        => throw new InvalidOperationException(
            "The factory of a cache entry waits for its own key, directly or by way of other keys that are being "
            + "loaded; that would never end. Inside a factory ask for other keys only, in an order without circles.");

    [DoesNotReturn]
    public static void FactoryGaveNull()
        => throw new InvalidOperationException(
            "The factory of a cache entry gave null, which a cache does not hold; give a value that stands for none.");

    [DoesNotReturn]
    public static void HoldsOtherCell(long wanted, CellHold held)
        => throw new PileBusyException(
            $"Cell {wanted} cannot be used: this same thread has cell {held.Id} of table {held.Table.Name} in use, "
            + $"taken at {held.Tickets[0].File}:{held.Tickets[0].Line}; threads could wait for each other in a circle. "
            + $"Dispose that accessor before, or take both with {nameof(CellTable.UseMany)}.");

    [DoesNotReturn]
    public static void CellHeld(string table, long id, TimeSpan waited)
        => throw new PileBusyException(
            $"Cell {id} of table {table} was in use by another thread for {nameof(PileOptions)}."
            + $"{nameof(PileOptions.PinWait)}, {waited}; dispose accessors sooner, raise that option, or try again.");

    [DoesNotReturn]
    public static void AccessorDisposed()
        => throw new ObjectDisposedException(nameof(CellAccessor), "The accessor was disposed, or never had a cell.");

    public static void IfNoCellLength(int length)
    {
        if ((uint)length > CellValue.LengthMax)
        {
            throw new ArgumentOutOfRangeException(
                nameof(length), length, $"A cell has from 0 to {CellValue.LengthMax:N0} bytes.");
        }
    }

    [DoesNotReturn]
    public static void CellDestinationTooSmall(int needed, int found)
        => throw new ArgumentException(
            $"The cell has {needed} bytes and the destination only {found}; TryLoad into a new array takes them all.");

    [DoesNotReturn]
    public static void OtherRecordTable(string name, string what, object found, object asked)
        => throw new InvalidOperationException(
            $"The table {name} is there already and has other {what}: {found} was found and {asked} asked for. Ask for "
            + "what is there, or use another name.");

    private static string Describe(PayloadKind kind) => kind switch
    {
        PayloadKind.Bytes => "bytes",
        PayloadKind.Graph => "an object graph",
        _ => "a string",
    };
}
