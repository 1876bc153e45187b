using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a sorted list of objects with its comparer, in order.</summary>
internal sealed class ObjectSortedListCodec : IMapCodec<SortedList, object, object?>
{
    public object? ComparerOf(SortedList map) => HiddenSettings.ComparerOf(map);

    public void WriteHead(SlimWriter writer, SortedList map) =>
        Comparers.Write(writer, HiddenSettings.ComparerOf(map));

    public SortedList Create(SlimReader reader) => new(Comparers.ReadOrder(reader));

    public KeyValuePair<object, object?>[] EntriesOf(SortedList map) => DictionaryEntries.Of(map);

    public void ChargeKeys(KeyLedger ledger, SortedList map, object[] keys) =>
        KeyRules<object>.ChargeSorted(ledger, keys);

    public void Fill(SortedList map, Entries<object, object?> entries)
    {
        map.Clear();
        // Adding keys in order appends each key. Keys in a hostile order would move the whole list for each key.
        Array.Sort(entries.Keys, entries.Values, HiddenSettings.ComparerOf(map));
        map.Capacity = entries.Count;
        DictionaryEntries.AddAll(map, entries);
    }
}
