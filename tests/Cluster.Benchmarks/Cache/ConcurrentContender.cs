using System.Collections.Concurrent;

namespace Cluster.Benchmarks.Cache;

/// <summary>A <see cref="ConcurrentDictionary{TKey, TValue}"/> of byte arrays.</summary>
internal sealed class ConcurrentContender : ICacheContender, ICacheSession
{
    private readonly ConcurrentDictionary<long, byte[]> _entries = new();

    public ICacheSession Begin() => this;

    public void Insert(long key, ReadOnlySpan<byte> value) => _entries[key] = value.ToArray();

    public bool TryRead(long key, Span<byte> value)
    {
        if (!_entries.TryGetValue(key, out var found))
            return false;
        found.CopyTo(value);
        return true;
    }

    public void Dispose()
    {
    }
}
