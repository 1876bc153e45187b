using System.Collections.Immutable;

namespace Cluster.Slim.Codecs;

/// <summary>An immutable sorted dictionary with its key comparer.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class ImmutableSortedDictionaryCodec<TKey, TValue>
    : IImmutableCodec<ImmutableSortedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    public bool HasComparer => true;

    public bool IsKeyed => !KeyRules<TKey>.AreSimple;

    public void WriteComparer(SlimWriter writer, ImmutableSortedDictionary<TKey, TValue> collection)
    {
        if (!ReferenceEquals(collection.ValueComparer, EqualityComparer<TValue>.Default))
            throw Throw.NotSupported(collection.GetType(), "it has a value comparer of its own.");
        Comparers.Write(writer, collection.KeyComparer, collection.GetType());
    }

    public IEnumerable<KeyValuePair<TKey, TValue>> ItemsOf(ImmutableSortedDictionary<TKey, TValue> collection) =>
        collection;

    public Func<KeyValuePair<TKey, TValue>[], ImmutableSortedDictionary<TKey, TValue>> ReadBuilder(SlimReader reader)
    {
        IComparer<TKey> comparer = Comparers.ReadOrder<TKey>(reader);
        return entries => Build(entries, comparer);
    }

    public bool Finds(ImmutableSortedDictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue> item) =>
        collection.ContainsKey(item.Key);

    private static ImmutableSortedDictionary<TKey, TValue> Build(
        KeyValuePair<TKey, TValue>[] entries, IComparer<TKey> comparer)
    {
        TKey[] keys = Array.ConvertAll(entries, static e => e.Key);
        if (keys.Any(static k => k is null))
            Throw.Malformed("A key is null.");
        KeyRules<TKey>.CheckKeys(keys);
        ImmutableSortedDictionary<TKey, TValue>.Builder builder =
            ImmutableSortedDictionary.CreateBuilder<TKey, TValue>(comparer);
        foreach ((TKey key, TValue value) in entries)
        {
            if (!builder.TryAdd(key, value))
                Throw.Malformed("A key occurs twice in a dictionary.");
        }

        return builder.ToImmutable();
    }
}
