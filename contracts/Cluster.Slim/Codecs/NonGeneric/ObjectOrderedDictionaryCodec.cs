using System.Collections.Specialized;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads an ordered dictionary of objects with its comparer, in order. Read-only views are
/// refused.</summary>
internal sealed class ObjectOrderedDictionaryCodec : IMapCodec<OrderedDictionary, object, object?>
{
    public object? ComparerOf(OrderedDictionary map) => HiddenSettings.ComparerOf(map);

    public void WriteHead(SlimWriter writer, OrderedDictionary map)
    {
        if (map.IsReadOnly)
            throw Throw.NotSupported(typeof(OrderedDictionary), "it is a read-only view; carry what it views.");
        Comparers.Write(writer, HiddenSettings.ComparerOf(map));
    }

    public OrderedDictionary Create(SlimReader reader) => new(Comparers.ReadEquality(reader));

    public KeyValuePair<object, object?>[] EntriesOf(OrderedDictionary map) => DictionaryEntries.Of(map);

    public void ChargeKeys(KeyLedger ledger, OrderedDictionary map, object[] keys) =>
        KeyRules<object>.ChargeTree(ledger, keys, DictionaryEntries.KeyComparer(ComparerOf(map)));

    public void Fill(OrderedDictionary map, Entries<object, object?> entries)
    {
        map.Clear();
        DictionaryEntries.AddAll(map, entries);
    }
}
