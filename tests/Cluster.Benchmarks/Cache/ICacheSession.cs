namespace Cluster.Benchmarks.Cache;

/// <summary>What one thread does with a store.</summary>
internal interface ICacheSession : IDisposable
{
    /// <summary>Inserts a new key; the store keeps a copy of the value.</summary>
    void Insert(long key, ReadOnlySpan<byte> value);

    /// <summary>Copies a value; false when the key is not there.</summary>
    bool TryRead(long key, Span<byte> value);
}
