using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Errors;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>A sorted list with its comparer, in order.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class SortedListCodec<TKey, TValue> : IMapCodec<SortedList<TKey, TValue>, TKey, TValue>
    where TKey : notnull
{
    public object? ComparerOf(SortedList<TKey, TValue> map) => map.Comparer;

    public void WriteHead(SlimWriter writer, SortedList<TKey, TValue> map) =>
        Comparers.Write(writer, map.Comparer);

    public SortedList<TKey, TValue> Create(SlimReader reader) => new(Comparers.ReadOrder<TKey>(reader));

    public KeyValuePair<TKey, TValue>[] EntriesOf(SortedList<TKey, TValue> map) => [.. map];

    public void ChargeKeys(KeyLedger ledger, SortedList<TKey, TValue> map, TKey[] keys) =>
        KeyRules<TKey>.ChargeSorted(ledger, keys);

    public void Fill(SortedList<TKey, TValue> map, Entries<TKey, TValue> entries)
    {
        map.Clear();
        // Adding keys in order appends each key. Keys in a hostile order would move the whole list for each key.
        Array.Sort(entries.Keys, entries.Values, map.Comparer);
        map.Capacity = entries.Count;
        for (var i = 0; i < entries.Count; i++)
        {
            if (!map.TryAdd(entries.Keys[i], entries.Values[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }
    }
}
