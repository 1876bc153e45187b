using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Cluster.Pile.Layout;

namespace Cluster.Pile.Memory;

/// <summary>The only place where the pile touches native memory: raw operations on one mapped range, addressed by
/// offset and bounds-checked in every build. An immutable value; the range outlives it, because ranges are never
/// unmapped.</summary>
internal readonly unsafe struct NativeWindow
{
    private const int WordBytes = sizeof(ulong);
    private const int LineBytes = 64;

    private readonly byte* _base;
    private readonly ulong _length;

    public NativeWindow(nint address, long length)
    {
        var isAligned = address != 0 && address % WordBytes == 0;
        Invariant.Holds(isAligned && length >= WordBytes, "A window needs aligned memory.");
        _base = (byte*)address;
        _length = (ulong)length;
    }

    public long Length => (long)_length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadWord(long offset) => Volatile.Read(ref Word(offset));

    /// <summary>Like <see cref="ReadWord"/>, near an offset that the caller has just checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadWordUnchecked(long offset) => Volatile.Read(ref Unsafe.AsRef<ulong>(_base + offset));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteWord(long offset, ulong value) => Volatile.Write(ref Word(offset), value);

    public bool TryExchangeWord(long offset, ulong expected, ulong value) =>
        Interlocked.CompareExchange(ref Word(offset), value, expected) == expected;

    /// <summary>Adds atomically and returns the sum.</summary>
    public ulong AddToWord(long offset, ulong value) => Interlocked.Add(ref Word(offset), value);

    /// <summary>The lower half of a word.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadHalf(long offset) => Volatile.Read(ref Unsafe.As<ulong, uint>(ref Word(offset)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteHalf(long offset, uint value) =>
        Volatile.Write(ref Unsafe.As<ulong, uint>(ref Word(offset)), value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryExchangeHalf(long offset, uint expected, uint value) =>
        Interlocked.CompareExchange(ref Unsafe.As<ulong, uint>(ref Word(offset)), value, expected) == expected;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadUpperHalf(long offset) =>
        Volatile.Read(ref Unsafe.Add(ref Unsafe.As<ulong, uint>(ref Word(offset)), 1));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteUpperHalf(long offset, uint value) =>
        Volatile.Write(ref Unsafe.Add(ref Unsafe.As<ulong, uint>(ref Word(offset)), 1), value);

    /// <summary>Like <see cref="ReadLine"/>, at an offset that the caller has just checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Vector512<ulong> ReadLineUnchecked(long offset) => Unsafe.ReadUnaligned<Vector512<ulong>>(_base + offset);

    /// <summary>A cache line as eight words. Each word is read whole, but not all at one moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Vector512<ulong> ReadLine(long offset) =>
        Unsafe.ReadUnaligned<Vector512<ulong>>(Bytes(offset, LineBytes));

    public void Clear(long offset, int length) => new Span<byte>(Bytes(offset, length), length).Clear();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CopyOut(long offset, Span<byte> destination) =>
        Copy(Bytes(offset, destination.Length), destination);

    /// <summary>Like <see cref="CopyOut"/>, for bytes that the caller has just checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CopyOutUnchecked(long offset, Span<byte> destination) => Copy(_base + offset, destination);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CopyIn(long offset, ReadOnlySpan<byte> source) =>
        source.CopyTo(new Span<byte>(Bytes(offset, source.Length), source.Length));

    /// <summary>Copies bytes to another place of the window; the two do not overlap.</summary>
    public void CopyWithin(long from, long to, int length) =>
        new ReadOnlySpan<byte>(Bytes(from, length), length).CopyTo(new Span<byte>(Bytes(to, length), length));

    /// <summary>Starts to fetch the cache line at the offset, if the processor has an instruction for that. Harmless
    /// outside of the window.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(long offset)
    {
        if (Sse.IsSupported)
            Sse.Prefetch0(_base + offset);
    }

    /// <summary>The bytes in place, to be filled by a caller that alone uses them.</summary>
    public Span<byte> WritableSpan(long offset, int length) => new(Bytes(offset, length), length);

    /// <summary>The bytes in place; later writes are visible through the span.</summary>
    public ReadOnlySpan<byte> Span(long offset, int length) => new(Bytes(offset, length), length);

    /// <summary>Makes the page at the offset resident without a change, also while other threads write there.</summary>
    public void Touch(long offset) => Interlocked.Or(ref Word(offset), 0UL);

    // Short copies without a call and without a branch on the length: two vectors that overlap.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Copy(byte* source, Span<byte> destination)
    {
        var length = destination.Length;
        if (!Vector256.IsHardwareAccelerated || (uint)(length - Vector256<byte>.Count) > (uint)Vector256<byte>.Count)
        {
            new ReadOnlySpan<byte>(source, length).CopyTo(destination);
            return;
        }

        ref var target = ref MemoryMarshal.GetReference(destination);
        var end = (nuint)(length - Vector256<byte>.Count);
        var first = Vector256.Load(source);
        var last = Vector256.Load(source + end);
        first.StoreUnsafe(ref target);
        last.StoreUnsafe(ref target, end);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref ulong Word(long offset)
    {
        if ((ulong)offset > _length - WordBytes)
            PileErrors.OutsideWindow(offset, WordBytes, Length);
        return ref Unsafe.AsRef<ulong>(_base + offset);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private byte* Bytes(long offset, int length)
    {
        if ((ulong)offset > _length || (ulong)length > _length - (ulong)offset)
            PileErrors.OutsideWindow(offset, length, Length);
        return _base + offset;
    }
}
