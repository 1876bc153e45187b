using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Cache;

/// <summary>A <see cref="MemoryCache"/> of byte arrays without a limit, as it comes.</summary>
internal sealed class MemoryCacheContender : CacheContender<MemoryCacheContender.Session>
{
    private readonly MemoryCache _entries = new(new MemoryCacheOptions());

    public override void Dispose() => _entries.Dispose();

    protected override Session Begin() => new(_entries);

    public readonly struct Session(MemoryCache entries) : ICacheSession
    {
        public void Insert(long key, ReadOnlySpan<byte> value) => entries.Set(key, value.ToArray());

        public bool TryRead(long key, Span<byte> value)
        {
            if (!entries.TryGetValue(key, out byte[]? found))
                return false;
            found!.CopyTo(value);
            return true;
        }

        public void Dispose()
        {
        }
    }
}
