using Cluster.Pile.Caching.Keys;

namespace Cluster.Pile.Caching;

/// <summary>The key codecs that a user can choose in place of the default ones. Stateless.</summary>
public static class KeyCodecs
{
    private const string OwnPrefix = "own:";

    /// <summary>Compares strings without regard to case, as <see cref="StringComparer.OrdinalIgnoreCase"/> does. An
    /// enumeration returns the keys in upper case.</summary>
    public static IKeyCodec<string> OrdinalIgnoreCase { get; } = new TextKeys(ignoresCase: true);

    /// <summary>The stored name of a key form; a user's codec gets a mark that the built-in ones do not have.</summary>
    /// <exception cref="ArgumentException">The form of a user's codec has no name.</exception>
    internal static string FormOf<TKey>(IKeyCodec<TKey> keys)
        where TKey : notnull
    {
        var form = keys.Form;
        if (string.IsNullOrWhiteSpace(form))
        {
            throw new ArgumentException(
                $"{keys.GetType()}.{nameof(keys.Form)} is empty; give the form of the bytes a name that never changes.",
                nameof(keys));
        }

        return keys.GetType().Assembly == typeof(KeyCodecs).Assembly ? form : OwnPrefix + form;
    }

    /// <summary>The built-in codec for a type of keys; null when there is none.</summary>
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
