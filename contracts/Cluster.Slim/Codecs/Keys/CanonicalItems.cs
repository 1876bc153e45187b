using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Finds the function that puts the items of a collection into canonical order; pairs of dictionaries are
/// ordered by their keys.</summary>
internal static class CanonicalItems
{
    /// <summary>The function that sorts the items of a collection type; null if they are written in enumeration
    /// order.</summary>
    public static Func<TItem[], TItem[]>? For<TItem>(Type collection, TypeRules rules)
    {
        if (!rules.IsCanonical)
            return null;
        var isMap = (!collection.IsGenericType || collection.GetGenericArguments().Length == 2)
            && typeof(TItem).IsGenericType && typeof(TItem).GetGenericTypeDefinition() == typeof(KeyValuePair<,>);
        if (!isMap)
            return CanonicalOrder<TItem, TItem>.For(
                collection, rules, static item => item) is { } order ? order.Sort : null;
        var pairs = typeof(
            CanonicalItems).GetMethod(nameof(ForPairs), BindingFlags.Static | BindingFlags.NonPublic)!;
        return (Func<TItem[], TItem[]>?)pairs.MakeGenericMethod(typeof(TItem).GetGenericArguments())
            .Invoke(null, [collection, rules]);
    }

    private static Func<KeyValuePair<TKey, TValue>[], KeyValuePair<TKey, TValue>[]>? ForPairs<TKey, TValue>(
        Type collection, TypeRules rules) =>
        CanonicalOrder<KeyValuePair<TKey, TValue>, TKey>.For(collection, rules, static p => p.Key) is { } order
            ? order.Sort
            : null;
}
