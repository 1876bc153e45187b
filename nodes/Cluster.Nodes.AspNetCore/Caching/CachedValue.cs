namespace Cluster.Nodes.AspNetCore.Caching;

/// <summary>One value of a distributed cache: its bytes, and what its expiry needs beyond the life that the state
/// knows. A value to store refers to the caller's bytes during the call. A value that was read owns an array of the
/// shared pool, which its reader gives back once. Immutable but for that.</summary>
/// <param name="Bytes">The bytes.</param>
/// <param name="EndTicks">The UTC tick at which a value with a sliding expiry ends in any case; zero: none.</param>
/// <param name="WindowTicks">The sliding window of a value that has <paramref name="EndTicks"/>, as long as the state
/// slides it; zero: the state ends the value at its end.</param>
internal readonly record struct CachedValue(ReadOnlySequence<byte> Bytes, long EndTicks = 0, long WindowTicks = 0)
{
    private readonly byte[]? _pooled;

    private CachedValue(byte[] pooled, int length, long endTicks, long windowTicks)
        : this(new ReadOnlySequence<byte>(pooled, 0, length), endTicks, windowTicks) => _pooled = pooled;

    /// <summary>Makes a value of bytes that were read into an array of the shared pool.</summary>
    public static CachedValue OfPooled(byte[] pooled, int length, long endTicks, long windowTicks) =>
        new(pooled, length, endTicks, windowTicks);

    /// <summary>Gives the array back. Nobody may use the bytes afterwards.</summary>
    public void Return()
    {
        if (_pooled is not null)
            ArrayPool<byte>.Shared.Return(_pooled);
    }
}
