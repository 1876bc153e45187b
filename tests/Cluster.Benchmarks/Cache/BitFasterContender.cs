using BitFaster.Caching.Lfu;

namespace Cluster.Benchmarks.Cache;

/// <summary>A <see cref="ConcurrentLfu{K, V}"/> of byte arrays with room for twice the entries, so that it evicts
/// none.</summary>
internal sealed class BitFasterContender(long count) : CacheContender<BitFasterContender.Session>
{
    private readonly ConcurrentLfu<long, byte[]> _entries = new((int)Math.Min(2 * count, int.MaxValue));

    public override void Dispose() => _entries.Clear();

    protected override Session Begin() => new(_entries);

    public readonly struct Session(ConcurrentLfu<long, byte[]> entries) : ICacheSession
    {
        public void Insert(long key, ReadOnlySpan<byte> value) => entries.AddOrUpdate(key, value.ToArray());

        public bool TryRead(long key, Span<byte> value)
        {
            if (!entries.TryGet(key, out var found))
                return false;
            found.CopyTo(value);
            return true;
        }

        public void Dispose()
        {
        }
    }
}
