using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>A sorted dictionary with its comparer, in order.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class SortedDictionaryCodec<TKey, TValue>
    : IMapCodec<SortedDictionary<TKey, TValue>, TKey, TValue>
    where TKey : notnull
{
    public object? ComparerOf(SortedDictionary<TKey, TValue> map) => map.Comparer;

    public void WriteHead(SlimWriter writer, SortedDictionary<TKey, TValue> map) =>
        Comparers.Write(writer, map.Comparer);

    public SortedDictionary<TKey, TValue> Create(SlimReader reader) => new(Comparers.ReadOrder<TKey>(reader));

    public KeyValuePair<TKey, TValue>[] EntriesOf(SortedDictionary<TKey, TValue> map) => [.. map];

    public void ChargeKeys(KeyLedger ledger, SortedDictionary<TKey, TValue> map, TKey[] keys) =>
        KeyRules<TKey>.ChargeSorted(ledger, keys);

    public void Fill(SortedDictionary<TKey, TValue> map, Entries<TKey, TValue> entries)
    {
        map.Clear();
        for (var i = 0; i < entries.Count; i++)
        {
            if (!map.TryAdd(entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }
}
