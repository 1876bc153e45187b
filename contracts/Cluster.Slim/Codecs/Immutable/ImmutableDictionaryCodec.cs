using System.Collections.Immutable;

namespace Cluster.Slim.Codecs;

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
        Comparers.CodeOf(collection.KeyComparer, EqualityComparer<TKey>.Default) == Comparers.Own
            ? collection.KeyComparer
            : null;

    public int ComparerCount => 2;

    public void WriteComparer(SlimWriter writer, ImmutableDictionary<TKey, TValue> collection)
    {
        Comparers.WriteWhole(writer, collection.KeyComparer);
        Comparers.WriteWhole(writer, collection.ValueComparer);
    }

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(ImmutableDictionary<TKey, TValue> collection) => collection;

    public Func<KeyValuePair<TKey, TValue>[], ImmutableDictionary<TKey, TValue>> ReadBuilder(
        SlimReader reader, out object? own)
    {
        IEqualityComparer<TKey> comparer = Comparers.ReadWholeEquality<TKey>(reader, out own);
        IEqualityComparer<TValue> values = Comparers.ReadWholeEquality<TValue>(reader, out _);
        return entries => Build(entries, comparer, values);
    }

    public bool Finds(ImmutableDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static ImmutableDictionary<TKey, TValue> Build(
        KeyValuePair<TKey, TValue>[] entries,
        IEqualityComparer<TKey> comparer,
        IEqualityComparer<TValue> values)
    {
        TKey[] keys = Array.ConvertAll(entries, static e => e.Key);
        if (keys.Any(static k => k is null))
            Throw.Malformed("A key is null.");
        KeyRules<TKey>.CheckFullHashes(keys, comparer);
        ImmutableDictionary<TKey, TValue>.Builder builder =
            ImmutableDictionary.CreateBuilder(comparer, values);
        foreach ((TKey key, TValue value) in entries)
        {
            if (!builder.TryAdd(key, value))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }

        return builder.ToImmutable();
    }
}
