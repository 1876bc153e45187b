using System.Collections.Immutable;

namespace Cluster.Slim.Codecs;

/// <summary>An immutable dictionary with its key comparer.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class ImmutableDictionaryCodec<TKey, TValue>
    : IImmutableCodec<ImmutableDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    public bool HasComparer => true;

    public bool IsKeyed => !KeyRules<TKey>.AreSimple;

    public void WriteComparer(SlimWriter writer, ImmutableDictionary<TKey, TValue> collection)
    {
        if (!ReferenceEquals(collection.ValueComparer, EqualityComparer<TValue>.Default))
            throw Throw.NotSupported(typeof(ImmutableDictionary<TKey, TValue>), "it has a value comparer of its own.");
        Comparers.Write(writer, collection.KeyComparer, typeof(ImmutableDictionary<TKey, TValue>));
    }

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(ImmutableDictionary<TKey, TValue> collection) => collection;

    public Func<KeyValuePair<TKey, TValue>[], ImmutableDictionary<TKey, TValue>> ReadBuilder(SlimReader reader)
    {
        IEqualityComparer<TKey> comparer = Comparers.ReadEquality<TKey>(reader);
        return entries => Build(entries, comparer);
    }

    public bool Finds(ImmutableDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static ImmutableDictionary<TKey, TValue> Build(
        KeyValuePair<TKey, TValue>[] entries, IEqualityComparer<TKey> comparer)
    {
        TKey[] keys = Array.ConvertAll(entries, static e => e.Key);
        if (keys.Any(static k => k is null))
            Throw.Malformed("A key is null.");
        KeyRules<TKey>.CheckFullHashes(keys, comparer);
        ImmutableDictionary<TKey, TValue>.Builder builder =
            ImmutableDictionary.CreateBuilder<TKey, TValue>(comparer);
        foreach ((TKey key, TValue value) in entries)
        {
            if (!builder.TryAdd(key, value))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }

        return builder.ToImmutable();
    }
}
