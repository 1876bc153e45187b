namespace Cluster.Buffers.Arithmetic;

/// <summary>The kernels of the comparisons of one element type. Immutable.</summary>
internal static class ComparingKernels<T>
    where T : unmanaged, INumber<T>
{
    private static readonly ComparingKernel<T> Equal = Make<Comparisons.Equal>();
    private static readonly ComparingKernel<T> NotEqual = Make<Comparisons.NotEqual>();
    private static readonly ComparingKernel<T> Less = Make<Comparisons.Less>();
    private static readonly ComparingKernel<T> LessOrEqual = Make<Comparisons.LessOrEqual>();
    private static readonly ComparingKernel<T> Greater = Make<Comparisons.Greater>();
    private static readonly ComparingKernel<T> GreaterOrEqual = Make<Comparisons.GreaterOrEqual>();

    public static ComparingKernel<T> Find(BufferComparison comparison) => comparison switch
    {
        BufferComparison.Equal => Equal,
        BufferComparison.NotEqual => NotEqual,
        BufferComparison.Less => Less,
        BufferComparison.LessOrEqual => LessOrEqual,
        BufferComparison.Greater => Greater,
        BufferComparison.GreaterOrEqual => GreaterOrEqual,
        _ => throw new ArgumentOutOfRangeException(
            nameof(comparison), comparison, $"A value of {nameof(BufferComparison)} is expected."),
    };

    private static ComparingKernel<T> Make<TComparing>()
        where TComparing : struct, IComparing =>
        new(ComparingLoops<T, TComparing>.Run, ComparingLoops<T, TComparing>.Run);
}

/// <summary>One comparison over spans, with a second span or with one value; fills the marks where there are any, and
/// counts.</summary>
internal sealed record ComparingKernel<T>(
    Func<ReadOnlySpan<T>, ReadOnlySpan<T>, Span<bool>, long> Pairs,
    Func<ReadOnlySpan<T>, T, Span<bool>, long> WithValue)
    where T : unmanaged;
