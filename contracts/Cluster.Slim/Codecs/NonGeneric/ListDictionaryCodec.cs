using System.Collections.Specialized;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a dictionary that is a list, with its comparer. It finds a key by linear search, so the
/// number of entries is limited.</summary>
internal sealed class ListDictionaryCodec : IMapCodec<ListDictionary, object, object?>
{
    public object? ComparerOf(ListDictionary map) => HiddenSettings.ComparerOf(map);

    // Without a comparer the dictionary compares by Equals. So its default comparer is null, unlike that of sorted
    // collections.
    public void WriteHead(SlimWriter writer, ListDictionary map) =>
        Comparers.Write(writer, HiddenSettings.ComparerOf(map), null);

    public ListDictionary Create(SlimReader reader) => new(Comparers.ReadOrderOrNone(reader));

    public KeyValuePair<object, object?>[] EntriesOf(ListDictionary map) => DictionaryEntries.Of(map);

    public void ChargeKeys(KeyLedger ledger, ListDictionary map, object[] keys)
    {
        ledger.CheckSearched(keys.Length);
        KeyRules<object>.ChargeSearched(ledger, keys);
    }

    public void Fill(ListDictionary map, Entries<object, object?> entries)
    {
        map.Clear();
        DictionaryEntries.AddAll(map, entries);
    }
}
