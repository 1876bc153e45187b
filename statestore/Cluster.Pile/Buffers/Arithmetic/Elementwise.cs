namespace Cluster.Pile.Buffers.Arithmetic;

/// <summary>
/// Walks over arrays side by side and applies a kernel to each part; lifetime is checked once per part. Stateless.
/// </summary>
internal static class Elementwise
{
    /// <summary>
    /// The elements of one part. Far more than a cache holds, because kernels touch memory once and write large
    /// results past the cache; few enough that an array that was disposed meanwhile is noticed within milliseconds.
    /// </summary>
    public const int PartCountMax = 1 << 24;

    public static void Fill<T>(BufferArray<T> into, T value)
        where T : unmanaged
    {
        into.CheckLive();
        for (var start = 0L; start < into.LongLength; start += PartCountMax)
            into.Part(start, PartCountMax).Fill(value);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(BufferArray<T> x, BufferArray<T> into, Action<ReadOnlySpan<T>, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, into);
        for (var start = 0L; start < x.LongLength; start += PartCountMax)
            kernel(x.Part(start, PartCountMax), into.Part(start, PartCountMax));
        GC.KeepAlive(x);
        GC.KeepAlive(into);
    }

    public static void Apply<T>(
        BufferArray<T> x, T y, BufferArray<T> into, Action<ReadOnlySpan<T>, T, Span<T>> kernel)
        where T : unmanaged
    {
        CheckLengths(x, into);
        for (var start = 0L; start < x.LongLength; start += PartCountMax)
            kernel(x.Part(start, PartCountMax), y, into.Part(start, PartCountMax));
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
        for (var start = 0L; start < x.LongLength; start += PartCountMax)
            kernel(x.Part(start, PartCountMax), y.Part(start, PartCountMax), into.Part(start, PartCountMax));
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
        for (var start = 0L; start < x.LongLength; start += PartCountMax)
            kernel(x.Part(start, PartCountMax), y, z.Part(start, PartCountMax), into.Part(start, PartCountMax));
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
        for (var start = 0L; start < x.LongLength; start += PartCountMax)
            kernel(x.Part(start, PartCountMax), y.Part(start, PartCountMax), z, into.Part(start, PartCountMax));
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
        for (var start = 0L; start < x.LongLength; start += PartCountMax)
        {
            kernel(
                x.Part(start, PartCountMax),
                y.Part(start, PartCountMax),
                z.Part(start, PartCountMax),
                into.Part(start, PartCountMax));
        }

        GC.KeepAlive(x);
        GC.KeepAlive(y);
        GC.KeepAlive(z);
        GC.KeepAlive(into);
    }

    /// <summary>Both live and have one length.</summary>
    public static void CheckLengths<TLeft, TRight>(BufferArray<TLeft> left, BufferArray<TRight> right)
        where TLeft : unmanaged
        where TRight : unmanaged
    {
        left.CheckLive();
        right.CheckLive();
        if (left.LongLength != right.LongLength)
            Throw.LengthsDiffer(left.LongLength, right.LongLength);
    }
}
