using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>Checks entries while they are added to an immutable dictionary: no key may be null or occur
/// twice.</summary>
internal static class UniqueEntries
{
    public static TKey[] KeysOf<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries)
    {
        var keys = Array.ConvertAll(entries, static e => e.Key);
        if (keys.Any(static k => k is null))
            Throw.Malformed("A key is null.");
        return keys;
    }

    public static void AddAll<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries, Func<TKey, TValue, bool> tryAdd)
    {
        foreach ((var key, var value) in entries)
        {
            if (!tryAdd(key, value))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }
}
