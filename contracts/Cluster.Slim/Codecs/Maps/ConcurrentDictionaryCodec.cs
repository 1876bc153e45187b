using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>Writes and reads a concurrent dictionary with its comparer. The entries are a snapshot of one
/// moment.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class ConcurrentDictionaryCodec<TKey, TValue>
    : IMapCodec<ConcurrentDictionary<TKey, TValue>, TKey, TValue>
    where TKey : notnull
{
    // The framework grows the dictionary when one of its locks has many keys, unless there are fewer keys than a
    // quarter of the buckets. So there may be four buckets for each key.
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
