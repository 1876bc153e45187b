namespace Cluster.StateStore.Hosting.States;

/// <summary>Rented memory that holds one serialized value. Used by one user at a time, who disposes it.</summary>
internal sealed class ValueBuffer : IBufferWriter<byte>, IDisposable
{
    private const int CapacityMin = 256;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(CapacityMin);
    private int _length;

    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, _length);

    public int Length => _length;

    /// <inheritdoc />
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _bytes.Length - _length);
        _length += count;
    }

    /// <inheritdoc />
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsMemory(_length);
    }

    /// <inheritdoc />
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _bytes.AsSpan(_length);
    }

    /// <inheritdoc />
    public void Dispose()
    {
        if (_bytes.Length == 0)
            return;
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
        _length = 0;
    }

    private void EnsureRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        var needed = checked(_length + Math.Max(sizeHint, 1));
        if (needed <= _bytes.Length)
            return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(needed, checked(_bytes.Length * 2)));
        _bytes.AsSpan(0, _length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
