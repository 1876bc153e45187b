using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Benchmarks.Cache;

/// <summary>A <see cref="MemoryCache"/> of byte arrays without a limit, as it comes.</summary>
internal sealed class MemoryCacheContender : ICacheContender
{
    private readonly MemoryCache _entries = new(new MemoryCacheOptions());

    public ICacheSession Begin() => new Session(_entries);

    public void Dispose() => _entries.Dispose();

    private sealed class Session(MemoryCache entries) : ICacheSession
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
