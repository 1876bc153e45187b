namespace Cluster.Pile.Caching;

/// <summary>Turns the keys of cache tables into bytes and back. Keys are the same when their bytes are: there is no
/// other comparison. Integers, enums, <see cref="Guid"/>, strings and byte arrays have one; others are given to
/// <see cref="PileCache.GetOrCreateTable{TKey, TValue}(string, CacheTableOptions?, IKeyCodec{TKey}?)"/>. Must be safe
/// for many threads.</summary>
/// <typeparam name="TKey">The keys.</typeparam>
public interface IKeyCodec<TKey>
    where TKey : notnull
{
    /// <summary>Names the form of the bytes, for ever: a table that was stored with one form is not opened with
    /// another, in this process or out of a snapshot. Any name will do that no other codec of the program has; change
    /// it whenever keys become other bytes, for instance <c>"day-number-2"</c>. The forms of the built-in codecs are
    /// set apart.</summary>
    string Form { get; }

    /// <summary>Writes the bytes of a key; false when the destination does not hold them.</summary>
    bool TryEncode(TKey key, Span<byte> destination, out int length);

    /// <summary>A key with these bytes.</summary>
    TKey Decode(ReadOnlySpan<byte> bytes);
}
