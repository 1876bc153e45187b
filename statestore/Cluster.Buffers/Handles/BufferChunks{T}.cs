namespace Cluster.Buffers.Handles;

/// <summary>Walks a buffer of any length in spans, for <c>foreach</c>. The lifetime was checked at the start. Not
/// thread-safe; mutable, do not make readonly.</summary>
internal ref struct BufferChunks<T>
    where T : unmanaged
{
    /// <summary>The default length of chunks: small enough to stay in a processor's cache between two passes over it,
    /// large enough that the walk costs nothing.</summary>
    public const int CountDefault = 1 << 14;

    private readonly BufferAccess _access;
    private readonly int _countMax;

    public BufferChunks(BufferAccess access, int countMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(countMax);
        _access = access;
        _countMax = countMax;
    }

    /// <summary>The index of the first element of the current chunk in the whole buffer.</summary>
    public long Start { get; private set; }

    public Span<T> Current { get; private set; }

    public readonly BufferChunks<T> GetEnumerator() => this;

    public bool MoveNext()
    {
        Start += Current.Length;
        Current = _access.SpanUnchecked<T>(Start, (int)Math.Min(_countMax, _access.Count<T>() - Start));
        return Current.Length > 0;
    }
}
