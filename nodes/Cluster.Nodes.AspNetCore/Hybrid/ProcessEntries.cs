using Cluster.Slim;
using Microsoft.Extensions.Caching.Memory;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Entries that only this process has, because their callers have disabled the distributed cache. They are
/// kept as bytes, so that each reader gets a value of its own. Thread-safe.</summary>
internal sealed class ProcessEntries : IDisposable
{
    private readonly MemoryCache _entries;
    private readonly EntrySerializer _serializer;
    private readonly int _maxBytes;
    private int _count;

    /// <summary>Makes an empty table.</summary>
    /// <param name="options">The limits.</param>
    /// <param name="serializer">Makes the bytes.</param>
    public ProcessEntries(ClusterHybridCacheOptions options, EntrySerializer serializer)
    {
        _serializer = serializer;
        _maxBytes = options.MaximumPayloadBytes;
        _entries = new MemoryCache(new MemoryCacheOptions
        {
            SizeLimit = Math.Max(options.NearCacheBytes, options.MaximumPayloadBytes),
        });
    }

    // Most processes have no such entries.
    private bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Whether it has an entry.</summary>
    public bool Has(string key) => !IsEmpty && _entries.TryGetValue(key, out _);

    /// <summary>Finds an entry.</summary>
    public HybridEntry? Find(string key) => !IsEmpty && _entries.TryGetValue(key, out byte[]? bytes)
        ? _serializer.FromBytes(bytes!)
        : null;

    /// <summary>Keeps an entry.</summary>
    /// <returns>False: it is too large.</returns>
    /// <exception cref="SlimException">The serializer refuses the value.</exception>
    public bool TryKeep(string key, HybridEntry entry, TimeSpan life)
    {
        var bytes = _serializer.ToBytes(entry);
        if (bytes.Length > _maxBytes)
            return false;
        Interlocked.Increment(ref _count);
        using var kept = _entries.CreateEntry(key);
        kept.Value = bytes;
        kept.Size = bytes.Length;
        kept.AbsoluteExpirationRelativeToNow = life;
        kept.RegisterPostEvictionCallback(
            static (_, _, _, table) => Interlocked.Decrement(ref ((ProcessEntries)table!)._count), this);
        return true;
    }

    /// <summary>Forgets an entry.</summary>
    public void Forget(string key)
    {
        if (!IsEmpty)
            _entries.Remove(key);
    }

    /// <inheritdoc />
    public void Dispose() => _entries.Dispose();
}
