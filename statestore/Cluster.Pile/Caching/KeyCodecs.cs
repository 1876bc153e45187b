using Cluster.Pile.Caching.Keys;

namespace Cluster.Pile.Caching;

/// <summary>Ways to compare keys beside the usual ones. Stateless.</summary>
public static class KeyCodecs
{
    /// <summary>
    /// Strings without regard to case, as <see cref="StringComparer.OrdinalIgnoreCase"/> compares them. An enumeration
    /// gives the keys in upper case.
    /// </summary>
    public static IKeyCodec<string> OrdinalIgnoreCase { get; } = new TextKeys(ignoresCase: true);

    /// <summary>The usual way for a type of keys; null when it has none.</summary>
    internal static IKeyCodec<TKey>? Usual<TKey>()
        where TKey : notnull
    {
        object? usual = null;
        if (typeof(TKey) == typeof(string))
            usual = new TextKeys(ignoresCase: false);
        else if (typeof(TKey) == typeof(Guid))
            usual = new GuidKeys();
        else if (typeof(TKey) == typeof(byte[]))
            usual = new BytesKeys();
        else if (IntegerKeys<TKey>.Applies)
            usual = new IntegerKeys<TKey>();
        return (IKeyCodec<TKey>?)usual;
    }
}
