using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable dictionary with its comparers.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class ImmutableDictionaryCodec<TKey, TValue>
    : IImmutableCodec<ImmutableDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    public bool IsKeyed => !KeyRules<TKey>.AreSimple;

    public bool MayReachObjects => KeyRules<TKey>.MayReachObjects;

    public object? KeyOf(KeyValuePair<TKey, TValue> item) => item.Key;

    public object? OwnComparerOf(ImmutableDictionary<TKey, TValue> collection) =>
        Comparers.OwnOrNull(collection.KeyComparer);

    public int ComparerCount => 2;

    public void ChargeKeys(
        KeyLedger ledger, ImmutableDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue>[] items) =>
        KeyRules<TKey>.ChargeTree(ledger, UniqueEntries.KeysOf(items), collection.KeyComparer);

    public void WriteComparer(SlimWriter writer, ImmutableDictionary<TKey, TValue> collection)
    {
        Comparers.WriteWhole(writer, collection.KeyComparer);
        Comparers.WriteWhole(writer, collection.ValueComparer);
    }

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(ImmutableDictionary<TKey, TValue> collection) => collection;

    public Func<KeyValuePair<TKey, TValue>[], ImmutableDictionary<TKey, TValue>> ReadBuilder(
        SlimReader reader, out object? own)
    {
        var comparer = Comparers.ReadWholeEquality<TKey>(reader, out own);
        var values = Comparers.ReadWholeEquality<TValue>(reader, out _);
        return entries => Build(reader.Keys, entries, comparer, values);
    }

    public bool Finds(ImmutableDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static ImmutableDictionary<TKey, TValue> Build(
        KeyLedger ledger,
        KeyValuePair<TKey, TValue>[] entries,
        IEqualityComparer<TKey> comparer,
        IEqualityComparer<TValue> values)
    {
        var keys = UniqueEntries.KeysOf(entries);
        KeyRules<TKey>.ChargeTree(ledger, keys, comparer);
        var builder =
            ImmutableDictionary.CreateBuilder(comparer, values);
        UniqueEntries.AddAll(entries, builder.TryAdd);
        return builder.ToImmutable();
    }
}
