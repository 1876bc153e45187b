using System.Collections;
using System.Reflection;

namespace Cluster.Slim.Codecs;

/// <summary>A hash table of anything, without a comparer of its own.</summary>
internal sealed class HashtableCodec : IMapCodec<Hashtable, object, object?>
{
    // The framework shows the comparer to derived classes only.
    private static readonly PropertyInfo Comparer =
        typeof(Hashtable).GetProperty("EqualityComparer", BindingFlags.Instance | BindingFlags.NonPublic)!;

    public bool HasComparer => true;

    public void WriteHead(SlimWriter writer, Hashtable map)
    {
        if (Comparer.GetValue(map) is not null)
            throw Throw.NotSupported(typeof(Hashtable), "it has a comparer of its own.");
        Comparers.Write<object>(writer, EqualityComparer<object>.Default, typeof(Hashtable));
    }

    public Hashtable Create(SlimReader reader)
    {
        if (!ReferenceEquals(Comparers.ReadEquality<object>(reader), EqualityComparer<object>.Default))
            Throw.Malformed("A hash table has a comparer of its own.");
        return [];
    }

    public KeyValuePair<object, object?>[] EntriesOf(Hashtable map) =>
        [.. map.Cast<DictionaryEntry>().Select(static e => KeyValuePair.Create(e.Key, e.Value))];

    public void Fill(Hashtable map, Entries<object, object?> entries)
    {
        map.Clear();
        KeyRules<object>.CheckFullHashes(entries.Keys, EqualityComparer<object>.Default);
        for (int i = 0; i < entries.Count; i++)
        {
            if (!TryAdd(map, entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }

    private static bool TryAdd(Hashtable map, object key, object? value)
    {
        if (map.ContainsKey(key))
            return false;
        map.Add(key, value);
        return true;
    }
}
