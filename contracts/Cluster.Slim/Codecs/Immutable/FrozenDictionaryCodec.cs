using System.Collections.Frozen;

namespace Cluster.Slim.Codecs;

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

    public void WriteComparer(SlimWriter writer, FrozenDictionary<TKey, TValue> collection) =>
        Comparers.WriteWhole(writer, collection.Comparer);

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(FrozenDictionary<TKey, TValue> collection) => collection;

    public Func<KeyValuePair<TKey, TValue>[], FrozenDictionary<TKey, TValue>> ReadBuilder(
        SlimReader reader, out object? own)
    {
        IEqualityComparer<TKey> comparer = Comparers.ReadWholeEquality<TKey>(reader, out own);
        return entries => Build(entries, comparer);
    }

    public bool Finds(FrozenDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static FrozenDictionary<TKey, TValue> Build(
        KeyValuePair<TKey, TValue>[] entries, IEqualityComparer<TKey> comparer)
    {
        TKey[] keys = UniqueEntries.KeysOf(entries);
        KeyRules<TKey>.CheckFullHashes(keys, comparer);
        Dictionary<TKey, TValue> map = new(comparer);
        KeyRules<TKey>.CheckHashes(keys, comparer, map.EnsureCapacity(keys.Length));
        UniqueEntries.AddAll(entries, map.TryAdd);
        return map.ToFrozenDictionary(comparer);
    }
}
