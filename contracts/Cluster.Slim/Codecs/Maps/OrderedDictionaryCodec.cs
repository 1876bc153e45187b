using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>An ordered dictionary with its comparer, in order.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class OrderedDictionaryCodec<TKey, TValue> : IMapCodec<OrderedDictionary<TKey, TValue>, TKey, TValue>
    where TKey : notnull
{
    public object? ComparerOf(OrderedDictionary<TKey, TValue> map) => map.Comparer;

    public void WriteHead(SlimWriter writer, OrderedDictionary<TKey, TValue> map) =>
        Comparers.Write(writer, map.Comparer);

    public OrderedDictionary<TKey, TValue> Create(SlimReader reader) => new(Comparers.ReadEquality<TKey>(reader));

    public KeyValuePair<TKey, TValue>[] EntriesOf(OrderedDictionary<TKey, TValue> map) =>
        [.. map];

    public void ChargeKeys(KeyLedger ledger, OrderedDictionary<TKey, TValue> map, TKey[] keys) =>
        KeyRules<TKey>.ChargeHashed(ledger, keys, map.Comparer);

    public void Fill(OrderedDictionary<TKey, TValue> map, Entries<TKey, TValue> entries)
    {
        map.Clear();
        map.EnsureCapacity(entries.Count);
        for (var i = 0; i < entries.Count; i++)
        {
            if (!TryAdd(map, entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }

    private static bool TryAdd(OrderedDictionary<TKey, TValue> map, TKey key, TValue value) => map.TryAdd(key, value);
}
