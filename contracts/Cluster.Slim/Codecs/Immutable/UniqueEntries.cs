namespace Cluster.Slim.Codecs;

/// <summary>The entries of an immutable dictionary on their way into it: no key is null, none occurs twice.</summary>
internal static class UniqueEntries
{
    internal static TKey[] KeysOf<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries)
    {
        TKey[] keys = Array.ConvertAll(entries, static e => e.Key);
        if (keys.Any(static k => k is null))
            Throw.Malformed("A key is null.");
        return keys;
    }

    internal static void AddAll<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries, Func<TKey, TValue, bool> tryAdd)
    {
        foreach ((TKey key, TValue value) in entries)
        {
            if (!tryAdd(key, value))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }
}
