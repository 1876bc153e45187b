using Cluster.Buffers.Errors;

namespace Cluster.Buffers.Arithmetic;

/// <summary>Walks over arrays and folds the result of a kernel for each part; lifetime is checked once per part.
/// Stateless.</summary>
internal static class Reduction
{
    private const int PartCountMax = Elementwise.PartCountMax;

    public static TSum Sum<T, TSum>(BufferArray<T> source, Func<ReadOnlySpan<T>, TSum> kernel)
        where T : unmanaged
        where TSum : unmanaged, INumber<TSum>
    {
        source.CheckLive();
        var sum = TSum.Zero;
        for (var start = 0L; start < source.LongLength; start += PartCountMax)
            sum += kernel(source.Part(start, PartCountMax));
        GC.KeepAlive(source);
        return sum;
    }

    public static T Sum<T>(BufferArray<T> left, BufferArray<T> right, Func<ReadOnlySpan<T>, ReadOnlySpan<T>, T> kernel)
        where T : unmanaged, INumber<T>
    {
        Elementwise.CheckLengths(left, right);
        var sum = T.Zero;
        for (var start = 0L; start < left.LongLength; start += PartCountMax)
            sum += kernel(left.Part(start, PartCountMax), right.Part(start, PartCountMax));
        GC.KeepAlive(left);
        GC.KeepAlive(right);
        return sum;
    }

    public static T Extreme<T>(BufferArray<T> source, Func<ReadOnlySpan<T>, T> kernel, Func<T, T, T> choose)
        where T : unmanaged
    {
        if (source.LongLength == 0)
            BufferErrors.NoElements();
        var extreme = kernel(source.Part(0, PartCountMax));
        for (long start = PartCountMax; start < source.LongLength; start += PartCountMax)
            extreme = choose(extreme, kernel(source.Part(start, PartCountMax)));
        GC.KeepAlive(source);
        return extreme;
    }
}
