using Cluster.Buffers.Errors;

namespace Cluster.Buffers.Handles;

/// <summary>The memory of one buffer, with the entry that shows whether it lives: the only place where buffers touch
/// native memory, bounds-checked in every build. An immutable value. Lifetime is checked when a span is made, not when
/// it is used: addresses are never unmapped, so a span that is kept too long reads wrong data but never
/// faults.</summary>
internal readonly unsafe struct BufferAccess(BufferEntry* entry, ulong handle, nint start, long length)
{
    private const byte Junk = 0xDD;
    private const long JunkBytesMax = 16L << 20;

    private readonly BufferEntry* _entry = entry;
    private readonly byte* _start = (byte*)start;
    private readonly long _length = length;
    private readonly ulong _handle = handle;

    /// <summary>Zero for the default of this type, which is no buffer.</summary>
    public ulong Handle => _handle;

    public long Length => _length;

    public bool IsLive
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _entry != null && new BufferWord(Volatile.Read(ref _entry->State)).IsLifeOf(_handle);
    }

    /// <summary>The heap of the buffer while it lives.</summary>
    public int Heap => _entry->Heap;

    /// <summary>Zeroes memory that no handle names yet.</summary>
    public static void Clear(nint address, long bytes) => NativeMemory.Clear((void*)address, (nuint)bytes);

    /// <summary>Fills freed memory, so that wrong uses become visible.</summary>
    public static void FillWithJunk(nint address, long bytes) =>
        NativeMemory.Fill((void*)address, (nuint)Math.Min(bytes, JunkBytesMax), Junk);

    /// <summary>The number of elements.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Count<T>()
        where T : unmanaged => _length / sizeof(T);

    /// <summary>An element; the caller has checked the lifetime.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T ElementUnchecked<T>(long index)
        where T : unmanaged
    {
        if ((ulong)index >= (ulong)Count<T>())
            BufferErrors.OutsideBuffer(index, Count<T>());
        return ref Unsafe.AsRef<T>((T*)_start + index);
    }

    /// <summary>Elements as a span; the caller has checked the lifetime.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<T> SpanUnchecked<T>(long start, int count)
        where T : unmanaged
    {
        var all = (ulong)Count<T>();
        if ((ulong)start > all || (ulong)count > all - (ulong)start)
            BufferErrors.OutsideBuffer(start, count, (long)all);
        return new Span<T>((T*)_start + start, count);
    }

    /// <summary>A pointer to an element or to the end; the caller holds a lease.</summary>
    public void* PointerUnchecked<T>(long index)
        where T : unmanaged
    {
        if ((ulong)index > (ulong)Count<T>())
            BufferErrors.OutsideBuffer(index, Count<T>());
        return (T*)_start + index;
    }
}
