namespace Cluster.Buffers;

/// <summary>Elements of a buffer as a <see cref="Memory{T}"/>. Does not own the buffer, but keeps the owning array from
/// being collected. Immutable.</summary>
internal sealed unsafe class BufferMemory<T>(PileBuffer<T> buffer, long start, int count, object? owner)
    : MemoryManager<T>
    where T : unmanaged
{
    private readonly PileBuffer<T> _buffer = buffer;
    private readonly long _start = start;
    private readonly int _count = count;
    private readonly object? _owner = owner;

    /// <summary>Pins one element of a buffer.</summary>
    public static MemoryHandle Pin(PileBuffer<T> buffer, long index, object? owner) =>
        new BufferMemory<T>(buffer, index, 0, owner).Pin();

    public override Span<T> GetSpan() => _buffer.AsSpan(_start, _count);

    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(elementIndex);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(elementIndex, _count);
        _buffer.Retain();
        try
        {
            return new MemoryHandle(_buffer.Find().PointerUnchecked<T>(_start + elementIndex), pinnable: this);
        }
        catch (ArgumentOutOfRangeException)
        {
            _buffer.Release();
            throw;
        }
    }

    public override void Unpin()
    {
        _buffer.Release();
        GC.KeepAlive(_owner);
    }

    // The creator of the buffer frees it; a Memory does not.
    protected override void Dispose(bool disposing)
    {
    }
}
