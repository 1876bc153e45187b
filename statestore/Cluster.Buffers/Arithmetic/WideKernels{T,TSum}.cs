using System.Numerics.Tensors;

namespace Cluster.Buffers.Arithmetic;

/// <summary>Sums in a wider type than that of the elements, converted block by block on the stack. Stateless.</summary>
internal static class WideKernels<T, TSum>
    where T : unmanaged, INumber<T>
    where TSum : unmanaged, INumber<TSum>
{
    // Two blocks of the widest numbers stay in the first cache.
    private const int BlockCount = 512;

    public static TSum Sum(ReadOnlySpan<T> source)
    {
        Span<TSum> block = stackalloc TSum[BlockCount];
        var sum = TSum.Zero;
        for (var start = 0; start < source.Length; start += BlockCount)
            sum += TensorPrimitives.Sum<TSum>(Convert(source, start, block));
        return sum;
    }

    public static TSum Dot(ReadOnlySpan<T> left, ReadOnlySpan<T> right)
    {
        Span<TSum> leftBlock = stackalloc TSum[BlockCount];
        Span<TSum> rightBlock = stackalloc TSum[BlockCount];
        var sum = TSum.Zero;
        for (var start = 0; start < left.Length; start += BlockCount)
        {
            sum += TensorPrimitives.Dot<TSum>(
                Convert(left, start, leftBlock), Convert(right, start, rightBlock));
        }

        return sum;
    }

    private static Span<TSum> Convert(scoped ReadOnlySpan<T> source, int start, Span<TSum> block)
    {
        var part = block[..Math.Min(BlockCount, source.Length - start)];
        TensorPrimitives.ConvertChecked(source.Slice(start, part.Length), part);
        return part;
    }
}
