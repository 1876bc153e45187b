using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>A concurrent dictionary with its comparer, as one snapshot.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class ConcurrentDictionaryCodec<TKey, TValue>
    : IMapCodec<ConcurrentDictionary<TKey, TValue>, TKey, TValue>
    where TKey : notnull
{
    // It grows by the keys of its fullest lock as long as there are more than a quarter as many keys as buckets.
    private const int Sparseness = 4;

    public object? ComparerOf(ConcurrentDictionary<TKey, TValue> map) => map.Comparer;

    public void WriteHead(SlimWriter writer, ConcurrentDictionary<TKey, TValue> map) =>
        Comparers.Write(writer, map.Comparer);

    public ConcurrentDictionary<TKey, TValue> Create(SlimReader reader) => new(Comparers.ReadEquality<TKey>(reader));

    public KeyValuePair<TKey, TValue>[] EntriesOf(ConcurrentDictionary<TKey, TValue> map) => map.ToArray();

    public void ChargeKeys(KeyLedger ledger, ConcurrentDictionary<TKey, TValue> map, TKey[] keys) =>
        KeyRules<TKey>.ChargeGrowth(ledger, keys, map.Comparer, Sparseness);

    public void Fill(ConcurrentDictionary<TKey, TValue> map, Entries<TKey, TValue> entries)
    {
        map.Clear();
        for (var i = 0; i < entries.Count; i++)
        {
            if (!map.TryAdd(entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }
}
