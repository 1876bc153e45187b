namespace Cluster.Pile.Objects;

/// <summary>Private memory for one operation: a small part of the stack, and above that the shared pool. Owned by the
/// method that declares it, which disposes it; mutable, do not copy.</summary>
internal ref struct ScratchBuffer
{
    public const int StackBytes = 512;

    private byte[]? _rented;

    public ScratchBuffer(Span<byte> stack) => Span = stack;

    public Span<byte> Span { get; private set; }

    /// <summary>Replaces the memory by a larger one; the content is lost.</summary>
    public void Grow(int bytes)
    {
        Dispose();
        _rented = ArrayPool<byte>.Shared.Rent(bytes);
        Span = _rented;
    }

    public void Dispose()
    {
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
        _rented = null;
        Span = default;
    }
}
