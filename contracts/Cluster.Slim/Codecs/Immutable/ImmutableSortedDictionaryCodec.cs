using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Immutable;

/// <summary>An immutable sorted dictionary with its comparers.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class ImmutableSortedDictionaryCodec<TKey, TValue>
    : IImmutableCodec<ImmutableSortedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    public bool IsKeyed => !KeyRules<TKey>.AreSimple;

    public bool MayReachObjects => KeyRules<TKey>.MayReachObjects;

    public object? KeyOf(KeyValuePair<TKey, TValue> item) => item.Key;

    public object? OwnComparerOf(ImmutableSortedDictionary<TKey, TValue> collection) =>
        Comparers.OwnOrNull(collection.KeyComparer);

    public int ComparerCount => 2;

    public void ChargeKeys(
        KeyLedger ledger, ImmutableSortedDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue>[] items) =>
        KeyRules<TKey>.ChargeSorted(ledger, UniqueEntries.KeysOf(items));

    public void WriteComparer(SlimWriter writer, ImmutableSortedDictionary<TKey, TValue> collection)
    {
        Comparers.WriteWhole(writer, collection.KeyComparer);
        Comparers.WriteWhole(writer, collection.ValueComparer);
    }

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(ImmutableSortedDictionary<TKey, TValue> collection) =>
        collection;

    public Func<KeyValuePair<TKey, TValue>[], ImmutableSortedDictionary<TKey, TValue>> ReadBuilder(
        SlimReader reader, out object? own)
    {
        var comparer = Comparers.ReadWholeOrder<TKey>(reader, out own);
        var values = Comparers.ReadWholeEquality<TValue>(reader, out _);
        return entries => Build(reader.Keys, entries, comparer, values);
    }

    public bool Finds(ImmutableSortedDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static ImmutableSortedDictionary<TKey, TValue> Build(
        KeyLedger ledger,
        KeyValuePair<TKey, TValue>[] entries,
        IComparer<TKey> comparer,
        IEqualityComparer<TValue> values)
    {
        var keys = UniqueEntries.KeysOf(entries);
        KeyRules<TKey>.ChargeSorted(ledger, keys);
        var builder =
            ImmutableSortedDictionary.CreateBuilder(comparer, values);
        UniqueEntries.AddAll(entries, builder.TryAdd);
        return builder.ToImmutable();
    }
}
