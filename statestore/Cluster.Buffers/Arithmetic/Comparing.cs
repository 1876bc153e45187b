namespace Cluster.Buffers.Arithmetic;

/// <summary>Walks over arrays and compares them part by part; lifetime is checked once per part. Stateless.</summary>
internal static class Comparing
{
    private const int PartCountMax = Elementwise.PartCountMax;

    public static void Mark<T>(
        BufferArray<T> left, BufferArray<T> right, BufferArray<bool> into, ComparingKernel<T> kernel)
        where T : unmanaged, INumber<T>
    {
        Elementwise.CheckLengths(left, right);
        Elementwise.CheckLengths(left, into);
        for (var start = 0L; start < left.LongLength; start += PartCountMax)
        {
            kernel.Pairs(
                left.Part(start, PartCountMax), right.Part(start, PartCountMax), into.Part(start, PartCountMax));
        }

        GC.KeepAlive(left);
        GC.KeepAlive(right);
        GC.KeepAlive(into);
    }

    public static void Mark<T>(BufferArray<T> left, T right, BufferArray<bool> into, ComparingKernel<T> kernel)
        where T : unmanaged, INumber<T>
    {
        Elementwise.CheckLengths(left, into);
        for (var start = 0L; start < left.LongLength; start += PartCountMax)
            kernel.WithValue(left.Part(start, PartCountMax), right, into.Part(start, PartCountMax));
        GC.KeepAlive(left);
        GC.KeepAlive(into);
    }

    public static long Count<T>(BufferArray<T> left, BufferArray<T> right, ComparingKernel<T> kernel)
        where T : unmanaged, INumber<T>
    {
        Elementwise.CheckLengths(left, right);
        var count = 0L;
        for (var start = 0L; start < left.LongLength; start += PartCountMax)
            count += kernel.Pairs(left.Part(start, PartCountMax), right.Part(start, PartCountMax), default);
        GC.KeepAlive(left);
        GC.KeepAlive(right);
        return count;
    }

    public static long Count<T>(BufferArray<T> left, T right, ComparingKernel<T> kernel)
        where T : unmanaged, INumber<T>
    {
        left.CheckLive();
        var count = 0L;
        for (var start = 0L; start < left.LongLength; start += PartCountMax)
            count += kernel.WithValue(left.Part(start, PartCountMax), right, default);
        GC.KeepAlive(left);
        return count;
    }
}
