using Cluster.Slim.Hosting;

namespace Cluster.Testing.Linearizability.Maps;

/// <summary>The entries of a map with a hash of them. Two maps count as equal if their hashes are, which is wrong once
/// in 2^64. Immutable.</summary>
public sealed class MapState : IEquatable<MapState>
{
    private readonly ImmutableDictionary<string, long> _entries;
    private readonly ulong _hash;

    private MapState(ImmutableDictionary<string, long> entries, ulong hash) => (_entries, _hash) = (entries, hash);

    /// <summary>The map without entries.</summary>
    public static MapState Empty { get; } = new(ImmutableDictionary<string, long>.Empty, 0);

    /// <summary>The number of entries.</summary>
    public int Count => _entries.Count;

    /// <summary>Returns the value of a key; null: it has none.</summary>
    /// <param name="key">The key.</param>
    public long? Find(string key) => _entries.TryGetValue(key, out var value) ? value : null;

    /// <summary>Returns the map with another value of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value; null: the key has none.</param>
    public MapState With(string key, long? value)
    {
        var hash = _hash - HashOf(key, Find(key)) + HashOf(key, value);
        return new MapState(value is { } set ? _entries.SetItem(key, set) : _entries.Remove(key), hash);
    }

    /// <inheritdoc />
    public bool Equals(MapState? other) => other is not null && other._hash == _hash && other.Count == Count;

    /// <inheritdoc />
    public override bool Equals(object? obj) => Equals(obj as MapState);

    /// <inheritdoc />
    public override int GetHashCode() => _hash.GetHashCode();

    /// <inheritdoc />
    public override string ToString() => $"a map of {Count}";

    private static ulong HashOf(string key, long? value) => value is { } number
        ? XxHash3.Hash(MemoryMarshal.AsBytes(key.AsSpan()), (ulong)number)
        : 0;
}
