using System.Collections.Frozen;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>A frozen dictionary with its comparer.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class FrozenDictionaryCodec<TKey, TValue>
    : IImmutableCodec<FrozenDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    public bool IsKeyed => !KeyRules<TKey>.AreSimple;

    public bool MayReachObjects => KeyRules<TKey>.MayReachObjects;

    public object? KeyOf(KeyValuePair<TKey, TValue> item) => item.Key;

    public object? OwnComparerOf(FrozenDictionary<TKey, TValue> collection) =>
        Comparers.OwnOrNull(collection.Comparer);

    public int ComparerCount => 1;

    public void ChargeKeys(
        KeyLedger ledger, FrozenDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue>[] items) =>
        ChargeKeys(ledger, UniqueEntries.KeysOf(items), collection.Comparer);

    public void WriteComparer(SlimWriter writer, FrozenDictionary<TKey, TValue> collection) =>
        Comparers.WriteWhole(writer, collection.Comparer);

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(FrozenDictionary<TKey, TValue> collection) => collection;

    public Func<KeyValuePair<TKey, TValue>[], FrozenDictionary<TKey, TValue>> ReadBuilder(
        SlimReader reader, out object? own)
    {
        var comparer = Comparers.ReadWholeEquality<TKey>(reader, out own);
        return entries => Build(reader.Keys, entries, comparer);
    }

    public bool Finds(FrozenDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static void ChargeKeys(KeyLedger ledger, TKey[] keys, IEqualityComparer<TKey> comparer)
    {
        KeyRules<TKey>.ChargeTree(ledger, keys, comparer);
        KeyRules<TKey>.ChargeHashed(ledger, keys, comparer);
    }

    private static FrozenDictionary<TKey, TValue> Build(
        KeyLedger ledger, KeyValuePair<TKey, TValue>[] entries, IEqualityComparer<TKey> comparer)
    {
        var keys = UniqueEntries.KeysOf(entries);
        ChargeKeys(ledger, keys, comparer);
        Dictionary<TKey, TValue> map = new(keys.Length, comparer);
        UniqueEntries.AddAll(entries, map.TryAdd);
        return map.ToFrozenDictionary(comparer);
    }
}
