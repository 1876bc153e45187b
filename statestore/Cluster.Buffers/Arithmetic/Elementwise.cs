using Cluster.Buffers.Errors;

namespace Cluster.Buffers.Arithmetic;

/// <summary>Walks over arrays side by side and applies a kernel to each part; lifetime is checked once per part.
/// Stateless.</summary>
internal static class Elementwise
{
    /// <summary>The most elements of a part, so that an array that is disposed of during the walk is noticed
    /// soon.</summary>
    public const int PartCountMax = 1 << 24;

    // The base library writes more than 256 KiB at once past the caches. Where the result is in the caches already,
    // because it replaces an operand or is small, that is slower: multiplying in place took 130 us for a million
    // integers and 38 in parts of this size, 4.3 and 3.3 ms for 25 million. Where it is neither, it is faster: adding
    // 25 million took 5.6 ms, and 10.2 in parts.
    private const int CachedPartBytes = 240 << 10;
    private const long CachedBytesMax = 8 << 20;

    public static void Fill<T>(BufferArray<T> into, T value)
        where T : unmanaged
    {
        into.CheckLive();
        var streams = into.LongLength * Unsafe.SizeOf<T>() >= StreamingFill.BytesMin && StreamingFill.Supports<T>();
        for (var start = 0L; start < into.LongLength; start += PartCountMax)
        {
            if (streams)
                StreamingFill.Fill(into.Part(start, PartCountMax), value);
            else
                into.Part(start, PartCountMax).Fill(value);
        }

        GC.KeepAlive(into);
    }

    public static void Apply<T>(BufferArray<T> x, BufferArray<T> into, Action<ReadOnlySpan<T>, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, into);
        var count = PartCount(into, inPlace: x == into);
        for (var start = 0L; start < x.LongLength; start += count)
            kernel(x.Part(start, count), into.Part(start, count));
        GC.KeepAlive(x);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(
        BufferArray<T> x, T y, BufferArray<T> into, Action<ReadOnlySpan<T>, T, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, into);
        var count = PartCount(into, inPlace: x == into);
        for (var start = 0L; start < x.LongLength; start += count)
            kernel(x.Part(start, count), y, into.Part(start, count));
        GC.KeepAlive(x);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(
        BufferArray<T> x,
        BufferArray<T> y,
        BufferArray<T> into,
        Action<ReadOnlySpan<T>, ReadOnlySpan<T>, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, y);
        CheckLengths(x, into);
        var count = PartCount(into, inPlace: x == into || y == into);
        for (var start = 0L; start < x.LongLength; start += count)
            kernel(x.Part(start, count), y.Part(start, count), into.Part(start, count));
        GC.KeepAlive(x);
        GC.KeepAlive(y);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(
        BufferArray<T> x,
        T y,
        BufferArray<T> z,
        BufferArray<T> into,
        Action<ReadOnlySpan<T>, T, ReadOnlySpan<T>, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, z);
        CheckLengths(x, into);
        var count = PartCount(into, inPlace: x == into || z == into);
        for (var start = 0L; start < x.LongLength; start += count)
            kernel(x.Part(start, count), y, z.Part(start, count), into.Part(start, count));
        GC.KeepAlive(x);
        GC.KeepAlive(z);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(
        BufferArray<T> x,
        BufferArray<T> y,
        T z,
        BufferArray<T> into,
        Action<ReadOnlySpan<T>, ReadOnlySpan<T>, T, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, y);
        CheckLengths(x, into);
        var count = PartCount(into, inPlace: x == into || y == into);
        for (var start = 0L; start < x.LongLength; start += count)
            kernel(x.Part(start, count), y.Part(start, count), z, into.Part(start, count));
        GC.KeepAlive(x);
        GC.KeepAlive(y);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(
        BufferArray<T> x,
        BufferArray<T> y,
        BufferArray<T> z,
        BufferArray<T> into,
        Action<ReadOnlySpan<T>, ReadOnlySpan<T>, ReadOnlySpan<T>, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, y);
        CheckLengths(x, z);
        CheckLengths(x, into);
        var count = PartCount(into, inPlace: x == into || y == into || z == into);
        for (var start = 0L; start < x.LongLength; start += count)
        {
            kernel(
                x.Part(start, count),
                y.Part(start, count),
                z.Part(start, count),
                into.Part(start, count));
        }

        GC.KeepAlive(x);
        GC.KeepAlive(y);
        GC.KeepAlive(z);
        GC.KeepAlive(into);
    }

    /// <summary>Checks that both arrays are live and have one length.</summary>
    public static void CheckLengths<TLeft, TRight>(BufferArray<TLeft> left, BufferArray<TRight> right)
        where TLeft : unmanaged
        where TRight : unmanaged
    {
        left.CheckLive();
        right.CheckLive();
        if (left.LongLength != right.LongLength)
            BufferErrors.LengthsDiffer(left.LongLength, right.LongLength);
    }

    private static int PartCount<T>(BufferArray<T> into, bool inPlace)
        where T : unmanaged
    {
        var cached = inPlace || into.LongLength * Unsafe.SizeOf<T>() <= CachedBytesMax;
        return cached ? Math.Max(1, CachedPartBytes / Unsafe.SizeOf<T>()) : PartCountMax;
    }
}
