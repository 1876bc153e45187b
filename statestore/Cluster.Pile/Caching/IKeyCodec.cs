namespace Cluster.Pile.Caching;

/// <summary>Converts the keys of cache tables into bytes and back. Two keys are the same when their bytes are equal;
/// there is no other comparison. Integers, enums, <see cref="Guid"/>, strings and byte arrays have a built-in codec.
/// For other types, give a codec to
/// <see cref="PileCache.GetOrCreateTable{TKey, TValue}(string, CacheTableOptions?, IKeyCodec{TKey}?)"/>. Must be safe
/// for many threads.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
public interface IKeyCodec<TKey>
    where TKey : notnull
{
    /// <summary>The name of the form of the bytes. It must never change: a table that was stored with one form is not
    /// opened with another, in this process or from a snapshot. Any name is allowed that no other codec of the program
    /// has. When the codec begins to produce other bytes, give it a new name, for instance <c>"day-number-2"</c>. The
    /// name cannot collide with those of the built-in codecs.</summary>
    string Form { get; }

    /// <summary>Writes the bytes of a key. False: the destination is too short.</summary>
    bool TryEncode(TKey key, Span<byte> destination, out int length);

    /// <summary>Returns a key with these bytes.</summary>
    TKey Decode(ReadOnlySpan<byte> bytes);
}
