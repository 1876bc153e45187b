namespace Cluster.Glue.Wire;

/// <summary>A large body in a pooled array, passed on without a copy. Each user adds itself and releases it once; the
/// last user returns the array. The count of users is atomic; the bytes never change.</summary>
internal sealed class PooledBytes(byte[] rented, int count)
{
    private byte[]? _array = rented;
    private int _users = 1;

    public int Count { get; } = count;

    public ReadOnlySpan<byte> Span => _array.AsSpan(0, Count);

    public PooledBytes AddUser()
    {
        Interlocked.Increment(ref _users);
        return this;
    }

    public void Release()
    {
        if (Interlocked.Decrement(ref _users) == 0 && _array is { } array)
            ArrayPool<byte>.Shared.Return(array);
    }

    /// <summary>Takes the array away from its only user. The caller must return it to the pool.</summary>
    public byte[] Take()
    {
        var array = _array ?? throw new InvalidOperationException("The bytes were taken already.");
        _array = null;
        return array;
    }
}
