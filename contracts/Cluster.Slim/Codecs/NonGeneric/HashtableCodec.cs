using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a hash table of objects with its comparer. Capacity and load factor do not
/// travel.</summary>
internal sealed class HashtableCodec : IMapCodec<Hashtable, object, object?>
{
    // The property is protected, hence the reflection.
    private static readonly PropertyInfo Comparer =
        typeof(Hashtable).GetProperty("EqualityComparer", BindingFlags.Instance | BindingFlags.NonPublic)!;

    public object? ComparerOf(Hashtable map) => Comparer.GetValue(map);

    public void WriteHead(SlimWriter writer, Hashtable map) =>
        Comparers.Write(writer, (IEqualityComparer?)ComparerOf(map));

    public Hashtable Create(SlimReader reader) => new(Comparers.ReadEquality(reader));

    public KeyValuePair<object, object?>[] EntriesOf(Hashtable map) => DictionaryEntries.Of(map);

    public void ChargeKeys(KeyLedger ledger, Hashtable map, object[] keys) =>
        KeyRules<object>.ChargeTree(ledger, keys, DictionaryEntries.KeyComparer(ComparerOf(map)));

    public void Fill(Hashtable map, Entries<object, object?> entries)
    {
        map.Clear();
        DictionaryEntries.AddAll(map, entries);
    }
}
