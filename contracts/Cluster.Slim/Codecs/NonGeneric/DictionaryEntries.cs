using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Reads and fills dictionaries without type arguments, and adapts their comparers.</summary>
internal static class DictionaryEntries
{
    public static KeyValuePair<object, object?>[] Of(IDictionary map)
    {
        var entries = new KeyValuePair<object, object?>[map.Count];
        var index = 0;
        foreach (DictionaryEntry entry in map)
            entries[index++] = KeyValuePair.Create(entry.Key, entry.Value);
        return entries;
    }

    public static void AddAll(IDictionary map, Entries<object, object?> entries)
    {
        for (var i = 0; i < entries.Count; i++)
        {
            if (map.Contains(entries.Keys[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
            map.Add(entries.Keys[i], entries.Values[i]);
        }
    }

    /// <summary>Returns the comparer in the form in which keys are checked; the default comparer for null.</summary>
    public static IEqualityComparer<object> KeyComparer(object? comparer) => comparer switch
    {
        null => EqualityComparer<object>.Default,
        IEqualityComparer<object> typed => typed,
        _ => new Adapter((IEqualityComparer)comparer),
    };

    /// <summary>Calls a comparer without type arguments.</summary>
    private sealed class Adapter(IEqualityComparer comparer) : IEqualityComparer<object>
    {
        bool IEqualityComparer<object>.Equals(object? x, object? y) => comparer.Equals(x, y);

        int IEqualityComparer<object>.GetHashCode(object obj) => comparer.GetHashCode(obj);
    }
}
