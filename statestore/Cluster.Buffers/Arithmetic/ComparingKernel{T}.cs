namespace Cluster.Buffers.Arithmetic;

/// <summary>One comparison over spans, with a second span or with one value; fills the marks where there are any, and
/// counts.</summary>
internal sealed record ComparingKernel<T>(
    Func<ReadOnlySpan<T>, ReadOnlySpan<T>, Span<bool>, long> Pairs,
    Func<ReadOnlySpan<T>, T, Span<bool>, long> WithValue)
    where T : unmanaged;
