using System.Collections.Frozen;
using System.Collections.Specialized;
using Cluster.Slim.Errors;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Orders the items of an unordered collection by key, so that equal content gives equal bytes. Keys that are
/// neither text nor primitive have no order and are refused. Immutable.</summary>
/// <typeparam name="TItem">The item type; a pair for dictionaries.</typeparam>
/// <typeparam name="TKey">The type by which items are ordered.</typeparam>
internal sealed class CanonicalOrder<TItem, TKey>
{
    private static readonly HashSet<Type> Unordered =
    [
        typeof(Dictionary<,>), typeof(HashSet<>), typeof(ConcurrentDictionary<,>), typeof(Hashtable),
        typeof(HybridDictionary), typeof(StringDictionary),
        typeof(ImmutableDictionary<,>), typeof(ImmutableHashSet<>), typeof(FrozenDictionary<,>), typeof(FrozenSet<>),
        typeof(ConcurrentBag<>),
    ];

    private readonly Type _collection;
    private readonly Func<TItem, TKey> _keyOf;

    private CanonicalOrder(Type collection, Func<TItem, TKey> keyOf)
    {
        _collection = collection;
        _keyOf = keyOf;
    }

    /// <summary>The order for a collection type; null if its items are written in enumeration order.</summary>
    public static CanonicalOrder<TItem, TKey>? For(Type collection, TypeRules rules, Func<TItem, TKey> keyOf)
    {
        var definition = collection.IsGenericType ? collection.GetGenericTypeDefinition() : collection;
        return rules.IsCanonical && Unordered.Contains(definition)
            ? new CanonicalOrder<TItem, TKey>(collection, keyOf)
            : null;
    }

    public TItem[] Sort(TItem[] items)
    {
        if (items.Length < 2)
            return items;
        if (typeof(TKey) != typeof(string) && !typeof(TKey).IsPrimitive)
            throw Throw.NotSupported(_collection, $"keys of type {typeof(TKey)} have no canonical order.");
        var keys = Array.ConvertAll(items, item => _keyOf(item));
        if (keys is string[] texts)
            Array.Sort(texts, items, StringComparer.Ordinal);
        else
            Array.Sort(keys, items);
        return items;
    }
}
