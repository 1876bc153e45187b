namespace Cluster.Benchmarks.Cache;

/// <summary>A <see cref="ConcurrentDictionary{TKey, TValue}"/> of byte arrays.</summary>
internal sealed class ConcurrentContender : CacheContender<ConcurrentContender.Session>
{
    private readonly ConcurrentDictionary<long, byte[]> _entries = new();

    public override void Dispose()
    {
    }

    protected override Session Begin() => new(_entries);

    public readonly struct Session(ConcurrentDictionary<long, byte[]> entries) : ICacheSession
    {
        public void Insert(long key, ReadOnlySpan<byte> value) => entries[key] = value.ToArray();

        public bool TryRead(long key, Span<byte> value)
        {
            if (!entries.TryGetValue(key, out var found))
                return false;
            found.CopyTo(value);
            return true;
        }

        public void Dispose()
        {
        }
    }
}
