using Cluster.Pile;

namespace Cluster.Buffers.Errors;

/// <summary>The exceptions of buffers, kept out of the hot methods so that those stay small. Stateless.</summary>
internal static class BufferErrors
{
    [DoesNotReturn]
    public static void InvariantBroken(string fact) =>
        throw new InvalidOperationException($"Bug in the buffers: an invariant does not hold. {fact}");

    [DoesNotReturn]
    public static void BudgetDisposed(string budget) =>
        throw new ObjectDisposedException(budget, "The pile that the buffer should be of was disposed.");

    [DoesNotReturn]
    public static void OutsideBuffer(long index, long length) =>
        throw new ArgumentOutOfRangeException(
            nameof(index), index, $"The buffer has {length:N0} elements; the index must be from 0 and below that.");

    [DoesNotReturn]
    public static void OutsideBuffer(long start, long count, long length) =>
        throw new ArgumentOutOfRangeException(
            nameof(start),
            start,
            $"The buffer has {length:N0} elements; {count:N0} from {start:N0} on are not all in it.");

    [DoesNotReturn]
    public static void InvalidBuffer(ulong handle) =>
        throw new InvalidPileBufferException(
            $"The handle {handle:x16} names no live buffer; the buffer was freed, its pile was disposed, or there "
            + "never was one.");

    [DoesNotReturn]
    public static void NotLeased(ulong handle) =>
        throw new InvalidPileBufferException(
            $"The buffer {handle:x16} has no lease to release; every Retain allows one Release.");

    [DoesNotReturn]
    public static void BufferLeased(ulong handle) =>
        throw new PileBusyException(
            $"The buffer {handle:x16} has live leases or pins and was not freed; release them first.");

    [DoesNotReturn]
    public static void TooManyLeases() =>
        throw new PileBusyException("A buffer has at most 67,108,863 leases at a time; release some.");

    [DoesNotReturn]
    public static void ArrayDisposed(Type array) =>
        throw new ObjectDisposedException(array.Name, "The array was disposed, or the pile that its memory is of.");

    [DoesNotReturn]
    public static void LengthsDiffer(long left, long right) =>
        throw new ArgumentException(
            $"The arrays of one operation need the same length; {left:N0} and {right:N0} elements were found.");

    [DoesNotReturn]
    public static void NoElements() =>
        throw new ArgumentException("The array has no elements, so it has neither a least nor a greatest one.");
}
